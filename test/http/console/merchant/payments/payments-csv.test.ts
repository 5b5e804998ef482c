import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { paymentsCsv } from '../../../../../src/http/console/merchant/payments/payments-csv.ts';
import type { ExportBatch, ExportedPayment } from '../../../../../src/payments/index.ts';
import { readCsv } from './read-csv.ts';

const PAYMENT: ExportedPayment = {
  id: 'txn_1',
  createdAt: 0,
  completedAt: null,
  status: 'completed',
  exception: null,
  type: 'basic',
  orderId: 'x'.repeat(1_000),
  customerEmail: null,
  crypto: 'BTC',
  network: 'bitcoin-mainnet',
  amountDue: '1',
  amountPaid: '1',
  amountFiat: '1',
  currencyFiat: 'USD',
  exchangeRate: '1',
  fiatToUsdRate: '1',
  paidFiat: '1',
  amountUsd: '1',
  depositAddress: 'bc1q',
  txids: [],
  confirmationsRequired: 1,
  loss: null,
};

test('a file without payments is only its header, in UTF-8 that spreadsheets recognise', async () => {
  const text = await textOf([]);
  expect([...Buffer.from(text).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(readCsv(text.slice(1))).toHaveLength(1);
});

test.each([
  [null, ''],
  ['unconfirmed', 'unconfirmed'],
  ['gone', 'gone'],
  ['gone_settled', 'gone_settled'],
] as const)('a payment whose loss is %s says so in the last column', async (loss, cell) => {
  const [head, line] = readCsv((await textOf([{ payments: [{ ...PAYMENT, loss }], isCut: false }])).slice(1));
  expect([head?.at(-1), line?.at(-1)]).toEqual(['loss', cell]);
});

test('a truncated file says so in its last line, which has as many columns as the others', async () => {
  const text = await textOf([
    { payments: [PAYMENT, PAYMENT], isCut: false },
    { payments: [PAYMENT], isCut: true },
  ]);
  const lines = readCsv(text.slice(1));
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  expect(lines).toHaveLength(5);
  expect(lines.at(-1)?.[0]).toBe('A file holds at most 3 payments: choose an earlier last day and export again');
});

test('payments are read no faster than the client reads the file, and only while it does', async () => {
  const source = endless();
  const file = Readable.from(paymentsCsv(source.batches()));
  let takeMore: (() => void) | undefined;
  let taken = 0;
  const reader = new Writable({
    write(_chunk, _encoding, done) {
      taken += 1;
      takeMore = done;
    },
  });
  const ended = pipeline(file, reader).catch((error: unknown) => error);
  for (const count of [1, 2, 3, 20]) {
    while (taken < count) {
      await new Promise(setImmediate);
      takeMore?.();
    }
    // The header row takes no batch; streams buffer a few pieces of a batch each.
    expect(source.read()).toBeLessThanOrEqual(taken + 20);
  }
  reader.destroy();
  await ended;
  await expect.poll(source.isClosed).toBe(true);
});

// Helpers

async function textOf(batches: readonly ExportBatch[]): Promise<string> {
  let text = '';
  for await (const piece of paymentsCsv(from(batches))) text += piece;
  return text;
}

async function* from(batches: readonly ExportBatch[]): AsyncGenerator<ExportBatch> {
  yield* batches;
}

function endless() {
  let [read, isClosed] = [0, false];
  return {
    read: () => read,
    isClosed: () => isClosed,
    async *batches(): AsyncGenerator<ExportBatch> {
      try {
        while (true) {
          read += 1;
          yield { payments: [PAYMENT], isCut: false };
        }
      } finally {
        isClosed = true;
      }
    },
  };
}

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  HOUR_MS,
  JITTER_FRACTION,
  MINUTE_MS,
  PAYMENT_EVENTS,
  RETRY_DELAYS_MS,
  SECOND_MS,
} from '../../machines/index.ts';
import { paymentEventBody } from '../../src/payments/projection/webhook-body.ts';
import { isId } from '../../src/platform/ids.ts';
import { newWebhookSecret, webhookSigningKeys } from '../../src/platform/secrets/index.ts';
import { DEFAULT_SUBSCRIPTION, SENDER_LIMITS } from '../../src/webhooks/index.ts';
import { serviceSignature, webhookHeaders } from '../../src/webhooks/sign.ts';
import { startRun } from '../machines/transaction/actor-run.ts';
import { dropped, IN_TIME, LATE, seen } from '../machines/transaction/observations.ts';
import { CLOSES_AT, SETTLES_MS, TERMS } from '../machines/transaction/terms.ts';
import { codeBlocks, readDocument, tableRows } from './markdown.ts';

const WEBHOOKS = readDocument('docs/merchants/webhooks.md');
const PAYMENT_RULES = readDocument('docs/merchants/payment-rules.md');
const [EXAMPLE = ''] = codeBlocks(WEBHOOKS, 'json');

/** Exports of the guide's sample. */
interface Sample {
  isSigned(rawBody: Uint8Array, signature: string | undefined, secret: string): boolean;
  isSignedStandard(rawBody: Uint8Array, headers: Record<string, string>, secret: string): boolean;
  createReceiver(secret: string, mode: string, keep: (event: { id: string; event: string }) => Promise<void>): Server;
}

describe('the receiver in docs/merchants/webhooks.md', () => {
  const secret = newWebhookSecret();
  const body = JSON.stringify({ ...JSON.parse(EXAMPLE), metadata: { note: 'zażółć – 日本語' } });
  const bytes = Buffer.from(body);
  let folder: string;
  let sample: Sample;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-docs-'));
    const file = join(folder, 'receiver.ts');
    const [code = ''] = codeBlocks(WEBHOOKS, 'ts');
    await writeFile(file, code);
    sample = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Sample;
  });
  afterAll(() => rm(folder, { recursive: true }));

  function headersAt(at: number): Record<string, string> {
    const request = { webhookEventId: 'evt_1', event: 'payment.completed', endpointId: 'whk_1', attempt: 1 };
    return webhookHeaders({ ...request, mode: 'live', body, at, secret });
  }

  test('accepts both signatures of the service', () => {
    const headers = headersAt(Date.now());
    expect(sample.isSigned(bytes, headers['x-service-signature'], secret)).toBe(true);
    expect(sample.isSignedStandard(bytes, headers, secret)).toBe(true);
  });

  test('rejects another body, another secret and a missing signature', () => {
    const headers = headersAt(Date.now());
    const signature = headers['x-service-signature'];
    const changed = Buffer.from(body.replace('completed', 'expired__'));
    expect(changed).not.toEqual(bytes);
    expect(sample.isSigned(changed, signature, secret)).toBe(false);
    expect(sample.isSigned(bytes, signature, newWebhookSecret())).toBe(false);
    expect(sample.isSigned(bytes, undefined, secret)).toBe(false);
    expect(sample.isSignedStandard(changed, headers, secret)).toBe(false);
    expect(sample.isSignedStandard(bytes, headers, newWebhookSecret())).toBe(false);
    expect(sample.isSignedStandard(bytes, {}, secret)).toBe(false);
  });

  test('rejects a standard signature that is an hour old', () => {
    expect(sample.isSignedStandard(bytes, headersAt(Date.now() - HOUR_MS), secret)).toBe(false);
  });

  test('stores what is signed, rejects what is not, and asks for a retry when it cannot store it', async () => {
    const kept: string[] = [];
    let isBroken = false;
    const server = sample.createReceiver(secret, 'live', async ({ id }) => {
      if (isBroken) throw new Error('the disk is full');
      kept.push(id);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const send = async (headers: Record<string, string>, sent = bytes) =>
      (await fetch(url, { method: 'POST', headers, body: sent })).status;
    try {
      expect(await send(headersAt(Date.now()))).toBe(204);
      expect(await send({ 'x-service-signature': 'sha256=00' })).toBe(400);
      const ofTest = Buffer.from(body.replace('"live"', '"test"'));
      const signature = serviceSignature(webhookSigningKeys(secret).service, ofTest.toString());
      expect(await send({ 'x-service-signature': signature }, ofTest)).toBe(400);
      isBroken = true;
      expect(await send(headersAt(Date.now()))).toBe(500);
      expect(kept).toEqual([JSON.parse(EXAMPLE).id]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('docs/merchants/webhooks.md', () => {
  test('shows a payload with exactly the fields of a real one, in their order', () => {
    const shown = JSON.parse(EXAMPLE);
    expect(Object.keys(shown)).toEqual(Object.keys(JSON.parse(bodyOf('payment.completed'))));
    expect(isId('evt', shown.id) && isId('txn', shown.transaction_id)).toBe(true);
  });

  test('explains every field that a payload can have', () => {
    const listed = tableRows(WEBHOOKS, ['Field', 'Type', 'Meaning']).map(([field = '']) => field);
    const late = JSON.parse(bodyOf('payment.paid_late'));
    const completed = JSON.parse(bodyOf('payment.completed'));
    expect(Object.keys(late)).not.toContain('receipt_url');
    expect(listed.sort()).toEqual([...new Set([...Object.keys(late), ...Object.keys(completed)])].sort());
  });

  test('lists every header that is sent', () => {
    const listed = tableRows(WEBHOOKS, ['Header', 'Value']).map(([name = '']) => name.toLowerCase());
    const request = { webhookEventId: 'evt_1', event: 'payment.completed', endpointId: 'whk_1', attempt: 1, at: 0 };
    expect(listed.sort()).toEqual(
      Object.keys(webhookHeaders({ ...request, mode: 'live', body: '', secret: newWebhookSecret() })).sort(),
    );
  });

  test('lists every payment event, and names the one that is not sent by default', () => {
    const rows = tableRows(WEBHOOKS, ['Event', 'Sent when', 'status in it']);
    expect(rows.map(([event = '']) => event).sort()).toEqual([...PAYMENT_EVENTS].sort());
    const optional = rows.filter(([, when = '']) => when.includes('not part of the default')).map(([event]) => event);
    expect(optional).toEqual(PAYMENT_EVENTS.filter((event) => !DEFAULT_SUBSCRIPTION.includes(event)));
  });

  test('names the events that can occur more than once for a transaction, such as a second failure and a second review', () => {
    const [, again = ''] = /more than once for a transaction([^]*?)\n\n/.exec(WEBHOOKS) ?? [];
    const lost = startRun(TERMS);
    lost.send(seen({ order: 1 }));
    lost.send({ type: 'timer.window_closed', at: CLOSES_AT, dueAt: CLOSES_AT });
    for (const [order, at] of [
      [2, LATE],
      [4, LATE + HOUR_MS],
    ] as const) {
      lost.send(dropped({ order, at }));
      lost.send({ type: 'timer.loss_settled', at: at + SETTLES_MS, dueAt: at + SETTLES_MS });
      lost.send(seen({ order: order + 1, at: at + SETTLES_MS }));
    }
    const reviewed = startRun({ ...TERMS, crypto: 'ETH' });
    for (const order of [1, 2]) {
      const at = IN_TIME + order;
      reviewed.send({ type: 'chain.balance_dropped', at, missingBaseUnits: '1' });
      reviewed.send(seen({ id: `${order}`, amount: 1n, order, at }));
    }
    const sent = [lost, reviewed].flatMap(({ notifications }) => notifications.map(({ event }) => event));
    for (const event of ['payment.failed', 'payment.needs_review'] as const) {
      expect(sent.filter((each) => each === event)).toHaveLength(2);
      expect(again).toContain(`\`${event}\``);
    }
    expect(again).not.toContain('payment.completed');
  });

  test('states the retry schedule of the code', () => {
    const rows = tableRows(WEBHOOKS, ['Attempt', 'Pause before it', 'Since the event']);
    const pauses = [0, ...RETRY_DELAYS_MS];
    const since = pauses.map((_, index) => pauses.slice(0, index + 1).reduce((sum, pause) => sum + pause, 0));
    expect(rows.map(([attempt]) => Number(attempt))).toEqual(pauses.map((_, index) => index + 1));
    expect(rows.map(([, pause]) => durationMs(pause))).toEqual(pauses);
    expect(rows.map(([, , total]) => durationMs(total))).toEqual(since);
    expect(WEBHOOKS).toContain(`varies by up to ${JITTER_FRACTION * 100} %`);
    expect(WEBHOOKS).toContain(`We wait ${SENDER_LIMITS.timeoutMs / SECOND_MS} seconds`);
  });

  test('rule 57: states up to how many waiting deliveries every pause is kept', () => {
    expect(WEBHOOKS).toContain(
      `With up to ${SENDER_LIMITS.maxUnpausedBacklog} waiting deliveries, your endpoint is never held back`,
    );
    expect(PAYMENT_RULES).toContain(
      `The delays hold for every delivery of an endpoint with up to ${SENDER_LIMITS.maxUnpausedBacklog} waiting`,
    );
  });
});

// Helpers

const UNITS_MS: Readonly<Record<string, number>> = { s: SECOND_MS, min: MINUTE_MS, h: HOUR_MS };

/** "1 h 36 min 10 s" in ms. */
function durationMs(text: string | undefined): number {
  const parts = [...(text ?? '').matchAll(/(\d+) (\w+)/g)];
  if (parts.length === 0) throw new Error(`"${text}" is no duration`);
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS_MS[unit] ?? Number.NaN), 0);
}

type BodyRequest = Parameters<typeof paymentEventBody>[0];

function bodyOf(event: 'payment.completed' | 'payment.paid_late'): string {
  const isLate = event === 'payment.paid_late';
  const status = isLate ? 'expired' : 'completed';
  const quote = {
    amountFiat: '25',
    currencyFiat: 'EUR',
    amountUsd: '27',
    amountCrypto: '0.3375',
    fiatToUsdRate: '1.08',
    exchangeRate: '80',
  } as const;
  // Only the fields of a payload: the rest of the terms and chain data does not reach it.
  const context = { transactionId: 'txn_1', mode: 'live', crypto: 'LTC', quote } as unknown as BodyRequest['context'];
  return paymentEventBody({
    id: 'evt_1',
    at: 0,
    notification: { event, status, exception: isLate ? 'paid_late' : null, sequence: 1 },
    context,
    details: isLate
      ? { orderId: '1042', items: [{ name: 'Tea', quantity: 1, price: '25' }], metadata: null }
      : { orderId: null, metadata: null },
    publicUrl: 'https://pay.example',
  });
}

import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sendCsv } from '../../../../src/http/console/merchant/csv.ts';
import {
  createReadSlots,
  MAX_DOWNLOADS,
  MAX_WAIT_MS,
  MAX_WAITING,
  type ReadSlots,
  SLOTS_PER_MERCHANT,
} from '../../../../src/http/console/merchant/read-slots.ts';
import { describeConsole } from '../support/describe-console.ts';

const AT_MOST = SLOTS_PER_MERCHANT + MAX_WAITING;

describe('expensive reads', () => {
  let slots: ReadSlots;
  let running: (() => void)[];
  beforeEach(() => {
    vi.useFakeTimers();
    slots = createReadSlots();
    running = [];
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const read = (merchantId: string) =>
    slots.read(merchantId, () => new Promise<string>((resolve) => running.push(() => resolve('read')))).catch(codeOf);
  const turns = () => vi.advanceTimersByTimeAsync(0);

  test('of one merchant run a few at a time, in order; those of others run at once', async () => {
    const reads = Array.from({ length: AT_MOST }, () => read('a'));
    await turns();
    expect(running).toHaveLength(SLOTS_PER_MERCHANT);
    const other = read('b');
    await turns();
    expect(running).toHaveLength(SLOTS_PER_MERCHANT + 1);
    for (let ended = 0; ended < running.length; ended += 1) {
      running[ended]?.();
      await turns();
    }
    expect(new Set(await Promise.all([...reads, other]))).toEqual(new Set(['read']));
    expect(running).toHaveLength(AT_MOST + 1);
  });

  test('are rejected when too many wait, or when they have waited too long', async () => {
    const reads = Array.from({ length: AT_MOST }, () => read('a'));
    expect(await read('a')).toBe('TOO_MANY_ATTEMPTS');
    await vi.advanceTimersByTimeAsync(MAX_WAIT_MS);
    expect(await Promise.all(reads.slice(SLOTS_PER_MERCHANT))).toEqual(Array(MAX_WAITING).fill('TOO_MANY_ATTEMPTS'));
    const next = read('a');
    running[0]?.();
    await turns();
    running.at(-1)?.();
    expect([await reads[0], await next]).toEqual(['read', 'read']);
  });

  test('that fail free their slot', async () => {
    const fail = () => slots.read('a', () => Promise.reject(new Error('no'))).catch(() => 'failed');
    for (let time = 0; time <= SLOTS_PER_MERCHANT; time += 1) expect(await fail()).toBe('failed');
    void read('a');
    await turns();
    expect(running).toHaveLength(1);
  });

  test('of a file hold no slot between its pieces, and end with their reader', async () => {
    let isEnded = false;
    async function* pieces() {
      try {
        for (let piece = 0; ; piece += 1) yield piece;
      } finally {
        isEnded = true;
      }
    }
    const files = Array.from({ length: SLOTS_PER_MERCHANT + 1 }, () => slots.stream('a', pieces()));
    for (const file of files) expect(await file.next()).toEqual({ done: false, value: 0 });
    expect(await files[0]?.next()).toEqual({ done: false, value: 1 });
    await files[0]?.return(undefined);
    expect(isEnded).toBe(true);
  });

  test('of files are rejected while as many have not ended, because each keeps rows', async () => {
    async function* pieces() {
      for (let piece = 0; ; piece += 1) yield piece;
    }
    const files = Array.from({ length: MAX_DOWNLOADS }, () => slots.stream('a', pieces()));
    for (const file of files) await file.next();
    expect(await slots.stream('a', pieces()).next().catch(codeOf)).toBe('TOO_MANY_ATTEMPTS');
    expect(await slots.stream('b', pieces()).next()).toMatchObject({ done: false });
    await files[0]?.return(undefined);
    expect(await slots.stream('a', pieces()).next()).toMatchObject({ done: false });
  });
});

test('a download ends when its reader left before the first row was sent', async () => {
  const slots = createReadSlots();
  async function* rows() {
    for (let row = 0; ; row += 1) yield `${row}`;
  }
  const reply = { header: () => reply, request: {}, send: (file: Readable) => file.destroy() };
  for (let time = 0; time <= MAX_DOWNLOADS; time += 1) {
    const pieces = slots.stream('a', rows());
    const file = await sendCsv(reply as unknown as FastifyReply, { name: 'rows', pieces });
    await new Promise((resolve) => (file as unknown as Readable).once('close', resolve));
    expect(await pieces.next()).toEqual({ done: true, value: undefined });
  }
});

/** More connections than the reads of one merchant can take. */
const env = { DATABASE_POOL_SIZE: '20' };

describeConsole('a user who loads the overview again and again', { env }, async (console) => {
  test('waits and is then refused with a sentence, while others are served', async () => {
    const overview = { path: '/merchant/overview?mode=test' };
    await console.cookieOf('neighbour');
    await console.cookieOf('staff');
    const { reads, rejected, others } = await console.db.transaction().execute(async (trx) => {
      // The overview reads this table, the others do not.
      await sql`lock table webhook_endpoint in access exclusive mode`.execute(trx);
      const started = Array.from({ length: AT_MOST + 1 }, () => console.call('staff', overview));
      return {
        reads: started,
        rejected: await Promise.race(started),
        others: [
          await console.call('neighbour', { path: '/merchant/payments?mode=test' }),
          await console.call('staff', { path: '/merchant/keys' }),
          await console.api({ path: '/transactions/list' }),
        ],
      };
    });
    expect(rejected).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS', retryAfter: 2 });
    expect(rejected.message).toBe('Too many requests: wait 2 s and try again.');
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
    const statuses = (await Promise.all(reads)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(SLOTS_PER_MERCHANT);
    // On a slow machine, further ones may wait too long.
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });
});

// Helpers

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

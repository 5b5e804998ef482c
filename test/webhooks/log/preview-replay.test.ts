import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../machines/index.ts';
import { newId } from '../../../src/platform/ids.ts';
import {
  cancelReplay,
  countReplayedEvents,
  findNewestReplay,
  MAX_REPLAY_DAYS,
  previewReplay,
  requestReplay,
} from '../../../src/webhooks/index.ts';
import { readReplayPage } from '../../../src/webhooks/redelivery/replay-page.ts';
import { createTestClock } from '../../support/clock.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { addEndpoint, createMerchant } from '../harness.ts';

const SUBSCRIBED = 'payment.completed';
const OTHER = 'payment.created';
/** More than the generator makes. */
const PAGE = 100;

interface Past {
  readonly isSubscribed: boolean;
  readonly isTest: boolean;
  /** Results of the past deliveries, one after another. */
  readonly deliveries: readonly ('delivered' | 'failed' | 'waiting')[];
  /** Milliseconds before the start of the replay; 0 is its exact start. */
  readonly beforeMs: number;
}

const pasts: fc.Arbitrary<readonly Past[]> = fc.array(
  fc.record({
    isSubscribed: fc.boolean(),
    isTest: fc.boolean(),
    deliveries: fc.constantFrom<Past['deliveries']>(
      [],
      ['failed'],
      ['delivered'],
      ['waiting'],
      ['failed', 'delivered'],
      ['failed', 'waiting'],
    ),
    beforeMs: fc.constantFrom(-HOUR_MS, -1, 0, 1, HOUR_MS),
  }),
  { maxLength: 15 },
);

const ranges = fc.record({ length: fc.constantFrom(0, 1, HOUR_MS - 1, DAY_MS), onlyFailed: fc.boolean() });

describeDatabases('the preview of a replay', (database) => {
  const clock = createTestClock();
  const since = clock.now() - DAY_MS;
  const deps = () => ({ db: database().db, clock });

  async function shop() {
    const merchantId = await createMerchant(database());
    const url = `https://shop.example/${randomBytes(8).toString('hex')}`;
    const { id: endpointId } = await addEndpoint(database(), { merchantId, url, events: [SUBSCRIBED] });
    return { merchantId, endpointId };
  }

  async function keep({ merchantId, endpointId }: Awaited<ReturnType<typeof shop>>, past: Past): Promise<void> {
    const { db } = database();
    const [id, event] = [newId('evt'), past.isSubscribed ? SUBSCRIBED : OTHER];
    const created_at = new Date(since - past.beforeMs);
    await db
      .insertInto('webhook_event')
      .values({
        id,
        merchant_id: merchantId,
        transaction_id: null,
        event,
        mode: 'live',
        body: '{}',
        is_test: past.isTest,
        created_at,
      })
      .execute();
    for (const state of past.deliveries) {
      const ended_at = state === 'waiting' ? null : created_at;
      const row = { webhook_event_id: id, endpoint_id: endpointId, event, state, attempt: 1, created_at, ended_at };
      await db
        .insertInto('webhook_delivery')
        .values({ id: newId('dlv'), ...row })
        .execute();
    }
  }

  test('counts what the replay then reads and sends, of any range, with or without what was never tried', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(pasts, ranges, async (made, { length, ...options }) => {
        const own = await shop();
        for (const past of made) await keep(own, past);
        const until = since + length;
        const range = { since, until, ...options };
        const preview = await previewReplay(deps(), { ...own, ...range });
        const within = made.filter(({ beforeMs }) => beforeMs <= 0 && -beforeMs <= length);
        expect(preview).toEqual({
          since,
          until,
          events: within.length,
          due: within.filter((past) => past.isSubscribed && !past.isTest && isMissing(past, options)).length,
          isCut: false,
        });
        const replay = await requestReplay(deps(), { ...own, ...range });
        const page = await database()
          .db.transaction()
          .execute((trx) => readReplayPage(trx, { replayId: replay.id, limit: PAGE }));
        expect(page).toHaveLength(preview.events);
        expect(page.filter(({ isDue }) => isDue)).toHaveLength(preview.due);
        expect(await countReplayedEvents(deps(), { merchantId: own.merchantId, replay })).toBe(preview.events);
        expect(await findNewestReplay(deps(), own)).toEqual(replay);
        await cancelReplay(deps(), { merchantId: own.merchantId, replayId: replay.id });
      }),
      { numRuns: level.runs(20) },
    );
  });

  test('has what a process whose clock is ahead has stamped, unless it ends earlier', async () => {
    const own = await shop();
    await keep(own, { isSubscribed: true, isTest: false, deliveries: [], beforeMs: since - clock.now() - 30_000 });
    expect(await previewReplay(deps(), { ...own, since })).toMatchObject({ events: 1, due: 1 });
    expect(await previewReplay(deps(), { ...own, since, until: clock.now() - 1 })).toMatchObject({ events: 0, due: 0 });
    const replay = await requestReplay(deps(), { ...own, since });
    expect(await countReplayedEvents(deps(), { merchantId: own.merchantId, replay })).toBe(1);
  });

  test('is for endpoints of the merchant only, and for valid times', async () => {
    const [own, other] = [await shop(), await shop()];
    const theirs = { merchantId: other.merchantId, endpointId: own.endpointId };
    await expect(previewReplay(deps(), { ...theirs, since })).rejects.toMatchObject({
      code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    });
    await requestReplay(deps(), { ...own, since });
    expect(await findNewestReplay(deps(), theirs)).toBeNull();
    for (const moment of [clock.now() + 1, clock.now() - MAX_REPLAY_DAYS * DAY_MS - 1]) {
      await expect(previewReplay(deps(), { ...own, since: moment })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    }
    for (const until of [clock.now() + 1, since - 1]) {
      const rejected = { code: 'INVALID_REQUEST', message: expect.stringMatching(/^until is/) };
      await expect(requestReplay(deps(), { ...own, since, until })).rejects.toMatchObject(rejected);
    }
  });
});

// Helpers

/** The endpoint has not accepted it, and it is not in progress. */
function isMissing({ deliveries }: Past, { onlyFailed }: { readonly onlyFailed: boolean }): boolean {
  if (onlyFailed && deliveries.length === 0) return false;
  return !deliveries.some((end) => end === 'delivered' || end === 'waiting');
}

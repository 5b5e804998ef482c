import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ClaimResult, claimAttempts, releaseAttempt } from '../../../src/webhooks/sender/claim-attempts.ts';
import { createClaims } from '../../../src/webhooks/sender/claims.ts';
import { insertWebhookEvents } from '../../../src/webhooks/store-events.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { silentLog } from '../../support/silent-log.ts';
import { addEndpoint, createMerchant, newEvent } from '../harness.ts';

const CLAIM_MS = 60_000;
const ONE = { holder: 'one', claimMs: CLAIM_MS };
const OTHER = { holder: 'other', claimMs: CLAIM_MS };

describePostgres('an attempt', () => {
  let database: TestDatabase;
  let endpointId: string;
  let merchantId: string;

  beforeAll(async () => {
    database = await createPostgresDatabase({ poolSize: 8 });
    merchantId = await createMerchant(database);
    endpointId = (await addEndpoint(database, { merchantId, url: 'http://127.0.0.1:65009/' })).id;
  });
  afterAll(() => database?.drop());

  /** A delivery whose first attempt was requested. */
  async function dueAttempt(): Promise<{ deliveryId: string; attempt: number }> {
    const event = newEvent({ merchantId, event: 'payment.completed', at: Date.now() });
    await database.db.transaction().execute((trx) => insertWebhookEvents(trx, [event]));
    const deliveryId = `dlv_${event.id}`;
    await database.db
      .insertInto('webhook_delivery')
      .values({
        id: deliveryId,
        webhook_event_id: event.id,
        endpoint_id: endpointId,
        event: event.event,
        state: 'sending',
        attempt: 1,
        created_at: new Date(),
      })
      .execute();
    return { deliveryId, attempt: 1 };
  }

  async function take(claimant: typeof ONE, attempt: { deliveryId: string; attempt: number }): Promise<ClaimResult> {
    const [response] = await claimAttempts(database.db, claimant, [attempt]);
    if (response === undefined) throw new Error('no response');
    return response;
  }

  test('belongs to the sender that claims it, for the requested time; the others receive the remaining time', async () => {
    const attempt = await dueAttempt();
    expect(await take(ONE, attempt)).toMatchObject({
      kind: 'taken',
      claimed: { merchantId, event: 'payment.completed' },
    });
    const rejected = await take(OTHER, attempt);
    if (rejected.kind !== 'held') throw new Error(`it was ${rejected.kind}`);
    expect(rejected.forMs).toBeGreaterThan(CLAIM_MS / 2);
    expect(rejected.forMs).toBeLessThanOrEqual(CLAIM_MS);
    expect(await take(ONE, attempt)).toMatchObject({ kind: 'taken' });
  });

  test('is free when the claim of a dead sender has expired, or its owner has released it', async () => {
    const attempt = await dueAttempt();
    await take({ holder: 'dead', claimMs: 1 }, attempt);
    await vi.waitFor(async () => expect((await take(ONE, attempt)).kind).toBe('taken'), POLLING);
    await releaseAttempt(database.db, OTHER.holder, attempt);
    expect((await take(OTHER, attempt)).kind).toBe('held');
    await releaseAttempt(database.db, ONE.holder, attempt);
    expect((await take(OTHER, attempt)).kind).toBe('taken');
  });

  test('ends with its outcome, and the next one of the delivery is free immediately', async () => {
    const attempt = await dueAttempt();
    const { deliveryId } = attempt;
    await take(ONE, attempt);
    const moveOn = (state: string, to: number) =>
      database.db.updateTable('webhook_delivery').set({ state, attempt: to }).where('id', '=', deliveryId).execute();
    await moveOn('waiting', 1);
    expect(await take(ONE, attempt)).toEqual({ kind: 'over' });
    await moveOn('sending', 2);
    expect(await take(OTHER, attempt)).toEqual({ kind: 'over' });
    expect((await take(OTHER, { deliveryId, attempt: 2 })).kind).toBe('taken');
    expect(await take(OTHER, { deliveryId: 'dlv_unknown', attempt: 1 })).toEqual({ kind: 'over' });
  });

  test('is claimed by one of many senders, in any order, and none waits for a locked row', async () => {
    const attempts = await Promise.all(Array.from({ length: 40 }, dueAttempt));
    const locked = await dueAttempt();
    await database.db.transaction().execute(async (trx) => {
      await trx.updateTable('webhook_delivery').set({ attempt: 1 }).where('id', '=', locked.deliveryId).execute();
      const all = [...attempts, locked];
      const responses = await Promise.all(
        Array.from({ length: 6 }, async (_, index) => {
          const mine = index % 2 === 0 ? all : all.toReversed();
          const responded = await claimAttempts(database.db, { holder: `sender ${index}`, claimMs: CLAIM_MS }, mine);
          return index % 2 === 0 ? responded : responded.toReversed();
        }),
      );
      for (const index of attempts.keys()) {
        expect(responses.filter((each) => each[index]?.kind === 'taken')).toHaveLength(1);
        expect(responses.filter((each) => each[index]?.kind === 'held')).toHaveLength(5);
      }
      for (const each of responses) expect(each.at(-1)?.kind).toBe('held');
    });
    expect((await take(ONE, locked)).kind).toBe('taken');
  });

  test('that lasts longer than its claim stays with its sender, which renews it', async () => {
    const message = { ...(await dueAttempt()), endpointId, isRequested: false, isOverdue: false };
    const claims = createClaims({ db: database.db, log: silentLog, claimMs: 2_000 });
    try {
      expect(await claims.take(message)).toMatchObject({ merchantId });
      const untilOf = async () => {
        const query = database.db.selectFrom('webhook_delivery').select('claimed_until');
        return (await query.where('id', '=', message.deliveryId).executeTakeFirstOrThrow()).claimed_until ?? 0;
      };
      const before = await untilOf();
      await vi.waitFor(async () => expect(await untilOf()).toBeGreaterThan(before + 500), POLLING);
      expect(claims.lasts(message, 2_000)).toBe(false);
      await claims.release(message);
      expect((await take(OTHER, message)).kind).toBe('taken');
      await expect(claims.take(message)).rejects.toMatchObject({ code: 'ATTEMPT_HELD' });
    } finally {
      claims.close();
    }
  });
});

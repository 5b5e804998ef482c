import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLiveFeed, type LiveFeed, MAX_LISTENERS_OF_MERCHANT } from '../../src/operations/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { POLLING } from '../support/polling.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { newActorId } from '../support/service/engine.ts';
import { silentLog } from '../support/silent-log.ts';
import { createInstallation, type Installation } from './installation.ts';

type Step =
  | { readonly what: 'start'; readonly merchant: number; readonly kind: 'transaction' | 'delivery' | 'schedule' }
  | { readonly what: 'move'; readonly actor: number }
  | { readonly what: 'leave' | 'come back'; readonly merchant: number };

const merchant = fc.nat({ max: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('start'),
      merchant,
      kind: fc.constantFrom('transaction', 'delivery', 'schedule'),
    }),
  },
  { weight: 5, arbitrary: fc.record({ what: fc.constant('move'), actor: fc.nat({ max: 30 }) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('leave', 'come back'), merchant }) },
);
/** The steps of one round run concurrently. */
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 });

describeDatabases('the change feed of a merchant', (database) => {
  test('sends every step of its own actors once and none of others, across reconnects', async () => {
    const all = createInstallation(database());
    await assertAsyncProperty(
      fc.asyncProperty(rounds, async (played) => {
        const feed = createLiveFeed({ db: all.db, log: silentLog, pollEveryMs: 5 });
        const shops = [await openShop(all, feed), await openShop(all, feed)];
        const actors: { id: string; shop: Shop }[] = [];
        // The operator receives the changes of both.
        const operator = newEar();
        await feed.join(operator, null);
        for (const round of played) {
          await Promise.all(round.map((each) => play(all, each, { shops, actors })));
        }
        // Belongs to no merchant, so neither may receive it.
        await all.startSchedule();
        for (const shop of shops) await shop.comeBack();
        const everything = await stepsOf(
          all,
          actors.map(({ id }) => id),
        );
        await expect.poll(() => operator.received(), POLLING).toEqual(expect.arrayContaining(everything));
        for (const shop of shops) {
          const own = actors.filter((actor) => actor.shop === shop).map(({ id }) => id);
          expect(shop.received()).toEqual(await stepsOf(all, own));
        }
        await feed.stop();
      }),
      // The feed waits for the oldest transaction on the server, which other tests share.
      { numRuns: 4, interruptAfterTimeLimit: POLLING.timeout },
    );
  });

  test('advances its position with the changes of others, so that a reconnect reads little', async () => {
    const all = createInstallation(database());
    const feed = createLiveFeed({ db: all.db, log: silentLog, pollEveryMs: 5 });
    const [busy, quiet] = [await openShop(all, feed), await openShop(all, feed)];
    const before = quiet.position();
    await all.startTransaction({ merchantId: busy.merchantId });
    await expect.poll(() => busy.received().length, POLLING).toBe(1);
    expect(quiet.position()).not.toBe(before);
    expect(quiet.received()).toEqual([]);
    await feed.stop();
  });

  test('has room for many pages of a merchant, and no merchant uses up the room of others', async () => {
    const all = createInstallation(database());
    const feed = createLiveFeed({ db: all.db, log: silentLog, pollEveryMs: 5 });
    const ask = (merchantId: string) => feed.join({ ...newEar(), merchantId }, null);
    const pages = await Promise.all(Array.from({ length: MAX_LISTENERS_OF_MERCHANT + 1 }, () => ask('mer_busy')));
    expect(pages.filter((leave) => leave === null)).toHaveLength(1);
    expect(await ask('mer_other')).not.toBeNull();
    expect(await feed.join(newEar(), null)).not.toBeNull();
    pages.find((leave) => leave !== null)?.();
    expect(await ask('mer_busy')).not.toBeNull();
    await feed.stop();
  });
});

interface Ear {
  onChanges(changes: readonly { actorId: string; sequence: number }[], position: string): void;
  onReload(position: string): void;
  onPosition(position: string): void;
  position(): string;
  /** `actor:sequence` of every received change, sorted. */
  received(): string[];
}

function newEar(): Ear {
  const sent: string[] = [];
  let at = '';
  const pass = (position: string) => {
    at = position;
  };
  return {
    onChanges(changes, position) {
      sent.push(...changes.map(({ actorId, sequence }) => `${actorId}:${sequence}`));
      at = position;
    },
    onReload: () => expect.unreachable('few enough changes to be sent one by one'),
    onPosition: pass,
    position: () => at,
    received: () => sent.toSorted(),
  };
}

interface Shop extends Pick<Ear, 'received' | 'position'> {
  readonly merchantId: string;
  readonly endpointId: string;
  leave(): void;
  comeBack(): Promise<void>;
}

async function openShop({ db }: Installation, feed: LiveFeed): Promise<Shop> {
  const [merchantId, endpointId] = [newId('mer'), newId('whk')];
  const url = `https://${merchantId}.example`;
  const owner = { id: merchantId, name: merchantId, email: 'a@shop.test', plan: 'starter', settings: '{}' } as const;
  await db.insertInto('merchant').values(owner).execute();
  const endpoint = { id: endpointId, merchant_id: merchantId, url, events: '[]', sealed_secret: '', enabled: true };
  await db.insertInto('webhook_endpoint').values(endpoint).execute();
  const ear = newEar();
  let since: string | null = null;
  let leave: (() => void) | null = null;
  let turn: Promise<void> = Promise.resolve();
  const comeBack = async () => {
    if (leave === null) leave = await feed.join({ ...ear, merchantId }, since);
  };
  await comeBack();
  return {
    ...ear,
    merchantId,
    endpointId,
    leave() {
      turn = turn.then(() => {
        leave?.();
        leave = null;
        since = ear.position();
      });
    },
    comeBack: () => {
      turn = turn.then(comeBack);
      return turn;
    },
  };
}

interface Stage {
  readonly shops: readonly Shop[];
  readonly actors: { id: string; shop: Shop }[];
}

async function play(all: Installation, step: Step, { shops, actors }: Stage): Promise<void> {
  if (step.what === 'move') return move(all, actors[step.actor % Math.max(1, actors.length)]?.id);
  const shop = shops[step.merchant];
  if (shop === undefined) return;
  if (step.what === 'start') actors.push({ id: await startOne(all, shop, step.kind), shop });
  else if (step.what === 'leave') shop.leave();
  else await shop.comeBack();
}

/** An event that no chart accepts is a step too. */
async function move({ engine }: Installation, actorId: string | undefined): Promise<void> {
  if (actorId === undefined) return;
  await engine.deliver({ actorId, eventId: randomUUID(), event: { type: 'merchant.paused' } });
}

async function startOne(all: Installation, shop: Shop, kind: 'transaction' | 'delivery' | 'schedule'): Promise<string> {
  const { merchantId, endpointId } = shop;
  if (kind === 'transaction') return all.startTransaction({ merchantId });
  const actorId = kind === 'schedule' ? randomUUID() : newActorId();
  if (kind === 'schedule') {
    await addScheduleRow(all, actorId, merchantId);
    const input = { scheduleId: actorId, interval: 'monthly', startAt: null, maxPeriods: null };
    await all.engine.start({ kind, actorId, startKey: null, input });
    return actorId;
  }
  const input = { deliveryId: actorId, endpointId, webhookEventId: 'evt_none', earlierAttempts: 0 };
  await all.engine.start({ kind, actorId, startKey: null, input });
  return actorId;
}

async function addScheduleRow({ db, clock }: Installation, id: string, merchantId: string): Promise<void> {
  const now = new Date(clock.now());
  await db
    .insertInto('schedule')
    .values({
      id,
      merchant_id: merchantId,
      mode: 'test',
      reference: null,
      customer_email: 'customer@shop.test',
      description: 'Rent',
      amount_fiat: '10.00',
      currency_fiat: 'EUR',
      interval: 'monthly',
      crypto: null,
      start_at: null,
      max_periods: null,
      metadata: null,
      success_url: null,
      status: 'pending_confirmation',
      end_reason: null,
      confirmations_sent: 0,
      last_period_no: 0,
      next_due_at: null,
      idempotency_key: null,
      request_hash: null,
      created_at: now,
      updated_at: now,
      confirmed_at: null,
      ended_at: null,
    })
    .execute();
}

async function stepsOf({ db }: Installation, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('journal_entry')
    .select(['actor_id', 'sequence'])
    .where('actor_id', 'in', ids)
    .execute();
  return rows.map(({ actor_id: id, sequence }) => `${id}:${sequence}`).toSorted();
}

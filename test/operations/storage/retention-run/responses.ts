import { sql } from 'kysely';
import { DAY_MS, type UnixMs } from '../../../../machines/index.ts';
import { finalLeavesOf } from '../../../../src/operations/actors/charts.ts';
import { exportJournal, getActor, readPopulation } from '../../../../src/operations/index.ts';
import { createIdempotencyLookup } from '../../../../src/payments/create/replay-by-idempotency-key.ts';
import {
  createTransactionReader,
  getCustomerView,
  getStats,
  listTransactions,
  listViewVersions,
  MAX_STATS_DAYS,
  readPaymentDetail,
} from '../../../../src/payments/index.ts';
import { readJournal, replay } from '../../../../src/platform/engine/index.ts';
import { getDelivery, listDeliveries, listTransactionEvents } from '../../../../src/webhooks/index.ts';
import { TERMS } from '../../../machines/transaction/terms.ts';
import type { TestClock } from '../../../support/clock.ts';
import { PUBLIC_URL, type RetentionHarness } from './harness.ts';
import type { Kept } from './kept.ts';

/**
 * Everything merchants, customers and operators can read about these payments, except what should
 * be deleted by now.
 */
export async function responsesOf(
  harness: RetentionHarness,
  {
    payments,
    clock,
    kept,
    startedAt,
  }: { payments: readonly string[]; clock: TestClock; kept: Kept; startedAt: number },
): Promise<unknown> {
  const { db, shop } = harness;
  const scope = { merchantId: shop.merchantId, mode: TERMS.mode };
  const read = { db, publicUrl: PUBLIC_URL };
  const isNotified = (eventId: string) => kept.isKept('webhook_event', eventId);
  const reader = createTransactionReader(read);
  const each: unknown[] = [];
  for (const id of payments) {
    const events = await listTransactionEvents({ db }, { merchantId: shop.merchantId, transactionId: id });
    const detail = await readPaymentDetail(read, { merchantId: shop.merchantId, transactionId: id });
    each.push({
      view: await reader.get(scope, id),
      page: await getCustomerView({ db, ...LINKS }, id),
      versions: await listViewVersions(db, [id]),
      events: events.filter((event) => isNotified(event.id)),
      ...(kept.isKept('actor', id)
        ? { detail, ...(await journalOf(harness, { id, clock, kept })) }
        : { detail: { ...detail, journal: [], confirmationDeadlineAt: null } }),
    });
  }
  const keys = Array.from({ length: 7 }, (_, key) => createIdempotencyLookup(read.db)(scope, `key-${key}`));
  return {
    each,
    keys: await Promise.all(keys),
    list: await listTransactions(read, scope, { limit: 100, offset: 0 }),
    stats: await Promise.all(yearsSince(startedAt, clock.now() + DAY_MS).map((year) => getStats(db, scope, year))),
    log: await webhookLogOf(harness, kept),
    population: [await populationOf(harness, 'transaction', clock), await populationOf(harness, 'delivery', clock)],
  };
}

// Helpers

/** The longest ranges that statistics take, one after the other. */
function yearsSince(from: UnixMs, end: UnixMs) {
  const lengthMs = MAX_STATS_DAYS * DAY_MS;
  return Array.from({ length: Math.ceil((end - from) / lengthMs) }, (_, index) => {
    const start = from + index * lengthMs;
    return { from: start, to: Math.min(end, start + lengthMs), interval: 'month' as const };
  });
}

/** What links are made of; these payments are in no token. */
const LINKS = {
  networks: { contractOf: () => null },
  overview: { isPayable: async () => true },
  publicUrl: 'https://pay.example',
  sendsMails: true,
};

/** `oldestAt` of a final state covers only actors that are kept, so it is left out there. */
async function populationOf({ db, kinds }: RetentionHarness, kind: string, clock: TestClock): Promise<unknown> {
  const { leaves } = await readPopulation({ db, kinds, clock }, kind);
  const isFinal = (state: string) => finalLeavesOf(kinds, kind).includes(state);
  return leaves.map(({ oldestAt, ...leaf }) => (isFinal(leaf.state) ? leaf : { ...leaf, oldestAt }));
}

async function journalOf(
  { db, kinds }: RetentionHarness,
  { id, clock, kept }: { id: string; clock: TestClock; kept: Kept },
): Promise<object> {
  const { related, ...actor } = await getActor({ db, kinds, clock }, id);
  return {
    actor,
    related: related.filter(({ kind, id: other }) => kind !== 'delivery' || kept.isKept('webhook_delivery', other)),
    journal: await readJournal(db, id),
    isSound: (await replay(db, kinds, id))?.equal,
    file: await exportJournal(db, id),
  };
}

async function webhookLogOf({ db, shop }: RetentionHarness, kept: Kept): Promise<unknown> {
  const { rows } = await sql<{ id: string }>`
    select id from webhook_delivery where endpoint_id = ${shop.endpointId} order by id`.execute(db);
  const { deliveries } = await listDeliveries({ db }, shop, { limit: 1_000 });
  const isKept = (id: string) => kept.isKept('webhook_delivery', id);
  const details: unknown[] = [];
  for (const { id } of rows.filter((row) => isKept(row.id))) {
    const { attempts, ...delivery } = await getDelivery({ db }, { merchantId: shop.merchantId, deliveryId: id });
    const isLogged = ({ attempt, startedAt }: (typeof attempts)[number]) =>
      kept.isKept('webhook_attempt', `${id} ${attempt} ${(startedAt / 1_000).toFixed(6)}`);
    details.push({ ...delivery, attempts: attempts.filter(isLogged) });
  }
  return { deliveries: deliveries.filter(({ id }) => isKept(id)), details };
}

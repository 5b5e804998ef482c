import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS, MONITORING_MS } from '../../../machines/index.ts';
import {
  exportJournal,
  getActor,
  importJournal,
  listActors,
  previewOperatorEvent,
  readJournalPage,
  readPopulation,
  readStepDetail,
  regressionTestOf,
  sendOperatorEvent,
} from '../../../src/operations/index.ts';
import { archiveActors } from '../../../src/operations/storage/archive-actors.ts';
import { makePartitions } from '../../../src/operations/storage/month-partitions.ts';
import {
  createTransactionKind,
  getCustomerView,
  listTransactions,
  listViewVersions,
  readPaymentDetail,
} from '../../../src/payments/index.ts';
import { createKindRegistry } from '../../../src/platform/engine/index.ts';
import { CLOSES_AT, DUE, OPENED_AT, TERMS } from '../../machines/transaction/terms.ts';
import { createPaymentRun } from '../../payments/support/payment-run.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { silentLog } from '../../support/silent-log.ts';

const PUBLIC_URL = 'https://pay.example';
const OPERATOR = { userId: 'usr_operator' };
/** What links are made of; these payments are in no token. */
const LINKS = {
  networks: { contractOf: () => null },
  overview: { isPayable: async () => true },
  publicUrl: 'https://pay.example',
  sendsMails: true,
};

describeDatabases('an archived payment', (database) => {
  async function open() {
    const { db } = database();
    await sql`truncate actor, journal_entry, actor_archive, archived_actor, transaction_terms, transaction_status, operator_alert`.execute(
      db,
    );
    await sql`delete from actor_count`.execute(db);
    const payments = await createPaymentRun(database());
    const kinds = createKindRegistry([createTransactionKind({ publicUrl: PUBLIC_URL })]);
    const deps = { db, kinds, clock: payments.clock, engine: payments.engine, log: silentLog };
    return {
      ...deps,
      payments,
      /** A payment that was paid, monitored to the end, and closed. */
      async close(): Promise<string> {
        const id = await payments.start();
        const closesAt = payments.clock.now() + (CLOSES_AT - OPENED_AT);
        const output = { outputId: 'a:0', txid: 'a', amountBaseUnits: DUE.toString(), firstSeenAt: closesAt - 1 };
        await payments.play(id, [
          { type: 'chain.output_seen', order: 1, ...output },
          { type: 'chain.output_confirmed', order: 2, ...output, height: 101, blockHash: 'b' },
          { type: 'timer.window_closed', dueAt: closesAt },
          { type: 'timer.monitoring_ended', dueAt: closesAt + MONITORING_MS },
        ]);
        return id;
      },
      archive: () => archiveActors({ ...deps, archiveAfterDays: 90 }, { rejected: new Set() }),
      /** Everything that the APIs show of it. */
      async readAll(id: string) {
        const scope = { merchantId: TERMS.merchantId, mode: TERMS.mode };
        const read = { db, publicUrl: PUBLIC_URL };
        const filter = { kind: 'transaction', state: 'closedCompleted' };
        const list = (more: object) => listActors(deps, { filter: { ...filter, ...more }, cursor: null, limit: 50 });
        const file = await exportJournal(db, id);
        return {
          actor: await getActor(deps, id),
          journal: await readJournalPage(db, id, { after: 1, limit: 2 }),
          stepDetail: await readStepDetail(deps, id, 3),
          file,
          imported: (await importJournal(kinds, file)).isSound,
          regression: regressionTestOf(file),
          preview: previewOf(
            await previewOperatorEvent(deps, OPERATOR, id, request(5)).catch((error: unknown) => error),
          ),
          population: await readPopulation(deps, 'transaction').then(({ leaves }) => leaves),
          lists: [
            await list({}),
            await list({ search: id.slice(0, -4) }),
            await list({ merchantId: TERMS.merchantId }),
          ],
          detail: await readPaymentDetail(read, { merchantId: TERMS.merchantId, transactionId: id }),
          page: await getCustomerView({ db, ...LINKS }, id),
          versions: await listViewVersions(db, [id]),
          listed: await listTransactions(read, scope, { limit: 10, offset: 0 }),
        };
      },
    };
  }

  test('looks the same as before', async () => {
    const all = await open();
    const [id] = [await all.close(), await all.close()];
    const waiting = await all.payments.start();
    await makePartitions(all.db, 'actor_archive', all.clock.now());
    all.clock.advance(91 * DAY_MS);
    const before = await all.readAll(id);
    expect(before.actor).toMatchObject({ state: 'closedCompleted', status: 'done', isSound: true });
    expect(before.lists.map(({ total, actors }) => [total, actors.length])).toEqual([
      [2, 2],
      [1, 1],
      [2, 2],
    ]);

    expect(await all.archive()).toBe(2);
    const live = await all.db.selectFrom('actor').select('id').execute();
    expect(live).toEqual([{ id: waiting }]);
    expect(await all.readAll(id)).toEqual(before);
  });

  test('responds to an operator event like any closed payment', async () => {
    const all = await open();
    const id = await all.close();
    all.clock.advance(91 * DAY_MS);
    await all.archive();
    expect(await sendOperatorEvent(all, OPERATOR, id, request(5))).toMatchObject({ outcome: 'ignored' });
  });

  test('is listed page by page among payments that are not archived', async () => {
    const all = await open();
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      ids.push(await all.close());
      all.clock.advance(DAY_MS);
    }
    all.clock.advance(87 * DAY_MS);
    expect(await all.archive()).toBe(4);
    const seen: string[] = [];
    for (let cursor: string | null = null, pages = 0; pages < 9; pages += 1) {
      const page = await listActors(all, {
        filter: { kind: 'transaction', state: 'closedCompleted' },
        cursor,
        limit: 2,
      });
      expect(page.total).toBe(7);
      seen.push(...page.actors.map((actor) => actor.id));
      cursor = page.cursor;
      if (cursor === null) break;
    }
    expect(seen).toEqual(ids);
  });

  test('keeps its record after it is deleted from the archive, and is still counted in its final state', async () => {
    const all = await open();
    const id = await all.close();
    all.clock.advance(91 * DAY_MS);
    const { detail, page, listed, population } = await all.readAll(id);
    await all.archive();
    await sql`delete from actor_archive`.execute(all.db);
    const counted = await readPopulation(all, 'transaction');
    expect(counted.leaves).toEqual(population.map((leaf) => ({ ...leaf, oldestAt: null })));
    expect(counted.leaves).toMatchObject([{ state: 'closedCompleted', count: 1 }]);
    const read = { db: all.db, publicUrl: PUBLIC_URL };
    const left = await readPaymentDetail(read, { merchantId: TERMS.merchantId, transactionId: id });
    expect(left).toEqual({ ...detail, journal: [], confirmationDeadlineAt: null });
    expect(await getCustomerView({ db: all.db, ...LINKS }, id)).toEqual(page);
    const scope = { merchantId: TERMS.merchantId, mode: TERMS.mode };
    expect(await listTransactions(read, scope, { limit: 10, offset: 0 })).toEqual(listed);
    // No event may be accepted under its id any more.
    expect(await all.engine.deliver({ actorId: id, eventId: 'x', event: { type: 'merchant.cancelled' } })).toEqual({
      outcome: 'ignored',
      state: 'closedCompleted',
    });
  });

  test('is kept, and alerted once, when its journal is incomplete', async () => {
    const all = await open();
    const id = await all.close();
    await sql`delete from journal_entry where actor_id = ${id} and sequence = 2`.execute(all.db);
    all.clock.advance(91 * DAY_MS);
    expect([await all.archive(), await all.archive()]).toEqual([0, 0]);
    const alerts = await all.db.selectFrom('operator_alert').select(['actor_id', 'alert', 'detail']).execute();
    const detail = 'It was not archived: its journal has 4 of 5 entries';
    expect(alerts).toEqual([{ actor_id: id, alert: 'archive_refused', detail }]);
  });
});

// Helpers

function request(seenSequence: number) {
  const reason = 'somebody asked';
  return { type: 'merchant.marked_paid', fields: {}, reason, seenSequence, requestId: `r-${Math.random()}` };
}

/** A rejected preview is compared by its message. */
function previewOf(response: unknown): unknown {
  return response instanceof Error ? response.message : response;
}

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../machines/index.ts';
import {
  ARCHIVE_CRASH_POINTS,
  type ArchiveCrashPoint,
  archiveDone,
  createEngine,
  createKindRegistry,
  findEntry,
  findRestingActor,
  readJournal,
  replay,
} from '../../../src/platform/engine/index.ts';
import { createTestClock } from '../../support/clock.ts';
import { describeBothDatabases } from '../../support/database/test-database.ts';
import { newActorId } from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable } from '../../support/service/engine-charts.ts';
import { silentLog } from '../../support/silent-log.ts';

const KEPT_MS = 90 * DAY_MS;
const LEAVES = [{ kind: 'ledger', state: 'closed' }];

describeBothDatabases('the archive', (database) => {
  const kinds = createKindRegistry([createLedgerKind()]);

  async function open() {
    const { db } = database();
    await createLedgerTable(database());
    for (const table of ['actor', 'journal_entry', 'actor_archive', 'archived_actor', 'timer']) {
      await sql`delete from ${sql.table(table)}`.execute(db);
    }
    const clock = createTestClock();
    const engine = createEngine({ db, kinds, clock, log: silentLog });
    const book = (actorId: string, eventId: string, amount = 1) =>
      engine.deliver({ actorId, eventId, event: { type: 'book', amount } });
    return {
      db,
      clock,
      engine,
      book,
      /** An actor that has reached its final state. */
      async close(startKey: string | null = null): Promise<string> {
        const actorId = newActorId();
        await engine.start({ kind: 'ledger', actorId, startKey, input: {} });
        await book(actorId, 'e-1', 3);
        await engine.deliver({ actorId, eventId: 'e-2', event: { type: 'close' } });
        return actorId;
      },
      archive(more: { limit?: number; except?: string[]; crash?: (point: ArchiveCrashPoint) => void } = {}) {
        const { limit = 100, except = [], crash } = more;
        const deps = { db, kinds, clock, ...(crash === undefined ? {} : { crash }) };
        return archiveDone(deps, { leaves: LEAVES, before: clock.now() - KEPT_MS, limit, except });
      },
      async live(): Promise<string[]> {
        return (await db.selectFrom('actor').select('id').orderBy('id').execute()).map(({ id }) => id);
      },
    };
  }

  test('takes actors that were finished long enough, and all of their data can still be read', async () => {
    const all = await open();
    const { db, clock } = all;
    const old = await all.close('key-1');
    const [journal, resting] = [await readJournal(db, old), await findRestingActor(db, kinds, old)];
    const active = newActorId();
    await all.engine.start({ kind: 'ledger', actorId: active, startKey: null, input: {} });
    clock.advance(KEPT_MS);
    expect(await all.archive()).toEqual({ archived: 0, unsound: [], isMore: false });
    clock.advance(1);
    const young = await all.close();

    expect(await all.archive()).toEqual({ archived: 1, unsound: [], isMore: false });
    expect(await all.live()).toEqual([active, young].sort());
    expect(await db.selectFrom('journal_entry').select('sequence').where('actor_id', '=', old).execute()).toEqual([]);
    expect(await readJournal(db, old)).toEqual(journal);
    expect(await readJournal(db, old, { after: 1, limit: 1 })).toEqual(journal.slice(1, 2));
    expect(await findEntry(db, { actorId: old, eventId: 'e-1' })).toEqual(journal[1]);
    expect(await findEntry(db, { actorId: old, eventId: 'e-9' })).toBeNull();
    expect(await findRestingActor(db, kinds, old)).toEqual(resting);
    expect(await replay(db, kinds, old)).toMatchObject({ equal: true, entries: 3 });
  });

  test('answers events like a finished actor, and leaves no dead letter', async () => {
    const all = await open();
    const old = await all.close();
    all.clock.advance(KEPT_MS + 1);
    await all.archive();
    expect(await all.book(old, 'e-3')).toEqual({ outcome: 'ignored', state: 'closed' });
    expect(await all.book(newActorId(), 'e-3')).toEqual({ outcome: 'unknown_actor', state: null });
    expect(await readJournal(all.db, old)).toHaveLength(3);
    expect(await all.db.selectFrom('dead_letter').selectAll().execute()).toEqual([]);
  });

  test('allows no start under an id or a start key that it contains', async () => {
    const all = await open();
    const old = await all.close('key-2');
    all.clock.advance(KEPT_MS + 1);
    await all.archive();
    const start = (actorId: string, startKey: string | null) =>
      all.engine.start({ kind: 'ledger', actorId, startKey, input: {} });
    expect(await start(old, null)).toEqual({ outcome: 'exists', actorId: old });
    expect(await start(newActorId(), 'key-2')).toEqual({ outcome: 'exists', actorId: old });
    expect(await start(newActorId(), 'key-3')).toMatchObject({ outcome: 'started' });
  });

  test('skips and names actors that their journal cannot reproduce, and continues with the others', async () => {
    const all = await open();
    const { db } = all;
    const [changed, cut, good] = [await all.close(), await all.close(), await all.close()];
    await sql`update actor set snapshot = jsonb_set(snapshot::jsonb, '{context,total}', '7') where id = ${changed}`.execute(
      db,
    );
    await sql`delete from journal_entry where actor_id = ${cut} and sequence = 2`.execute(db);
    all.clock.advance(KEPT_MS + 1);
    const { archived, unsound } = await all.archive();
    expect(archived).toBe(1);
    expect(new Map(unsound.map(({ id, reason }) => [id, reason]))).toEqual(
      new Map([
        [changed, 'its journal does not lead to its snapshot'],
        [cut, 'its journal has 2 of 3 entries'],
      ]),
    );
    expect(await all.live()).toEqual([changed, cut].sort());
    expect(await findRestingActor(db, kinds, good)).toMatchObject({ status: 'done' });
    expect(await all.archive({ limit: 2, except: [changed, cut] })).toEqual({
      archived: 0,
      unsound: [],
      isMore: false,
    });
  });

  test.each(ARCHIVE_CRASH_POINTS)('has each actor in one place only after a failure at %s', async (point) => {
    const all = await open();
    const ids = [await all.close(), await all.close()].sort();
    all.clock.advance(KEPT_MS + 1);
    const crash = (at: ArchiveCrashPoint) => {
      if (at === point) throw new Error('lost');
    };
    await expect(all.archive({ crash })).rejects.toThrow('lost');
    expect(await all.live()).toEqual(point === 'archive.after_commit' ? [] : ids);
    for (const id of ids) expect(await replay(all.db, kinds, id)).toMatchObject({ equal: true, entries: 3 });
    await all.archive();
    expect(await all.live()).toEqual([]);
    for (const id of ids) expect(await replay(all.db, kinds, id)).toMatchObject({ equal: true, entries: 3 });
  });

  test('is filled by several processes at once while events arrive, each actor moved once and none lost', async () => {
    const all = await open();
    const ids = await Promise.all(Array.from({ length: 60 }, () => all.close()));
    all.clock.advance(KEPT_MS + 1);
    const archiving = Array.from({ length: 3 }, async () => {
      let archived = 0;
      for (let turn = 0; turn < 8; turn += 1) archived += (await all.archive({ limit: 15 })).archived;
      return archived;
    });
    const delivering = ids.map((id) => all.book(id, 'late'));
    const outcomes = await Promise.all(delivering);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['ignored']));
    const counts = await Promise.all(archiving);
    let archived = counts.reduce((sum, count) => sum + count, 0);
    for (let left = 1; left > 0; archived += left) left = (await all.archive()).archived;
    expect(archived).toBe(ids.length);
    expect(await all.live()).toEqual([]);
    for (const id of ids) expect((await replay(all.db, kinds, id))?.equal, id).toBe(true);
  });

  test('keeps the count of finished actors', async () => {
    const all = await open();
    const count = async () => {
      const { rows } = await sql<{ total: number }>`
        select coalesce(sum(actors), 0)::int8 as total from actor_count where kind = 'ledger' and state = 'closed'`.execute(
        all.db,
      );
      return rows[0]?.total;
    };
    await all.close();
    await all.close();
    all.clock.advance(KEPT_MS + 1);
    const before = await count();
    await all.archive();
    expect(await all.live()).toEqual([]);
    expect(await count()).toBe(before);
  });
});

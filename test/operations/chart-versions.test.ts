import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type AnyStateMachine, createMachine } from 'xstate';
import { MAX_MIGRATED_ACTORS } from '../../src/operations/actors/chart-versions.ts';
import { listActions, listChartVersions, migrateAsOperator, previewMigration } from '../../src/operations/index.ts';
import {
  type ActorKind,
  createKindRegistry,
  dryRunOf,
  moveActors,
  readJournal,
  replay,
} from '../../src/platform/engine/index.ts';
import { createStepper } from '../../src/platform/engine/stepper.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { createInstallation, type Installation, newRequestId, OPERATOR } from './installation.ts';

const TO_SECOND = { kind: 'transaction', from: '1', to: '2' } as const;

describeDatabases('the versions of a chart', (database) => {
  test('are listed with their actors, previewed, and migrated under the name of an operator', async () => {
    const { before, after } = await upgraded(database());
    const ids = [await before.startTransaction(), await before.startTransaction()];
    expect(await listChartVersions(after, 'transaction')).toEqual([
      { version: '2', registered: 'current', unfinished: 0, finished: 0 },
      { version: '1', registered: 'kept', unfinished: 2, finished: 0 },
    ]);
    const preview = await previewMigration(after, TO_SECOND);
    expect(preview).toMatchObject({ states: [{ state: 'open.awaitingPayment', same: 2, differs: 0, fails: 0 }] });

    const requestId = newRequestId();
    const request = { ...TO_SECOND, fingerprint: preview.fingerprint, reason: ' The new release ', requestId };
    await migrateAsOperator(after, OPERATOR, request);
    expect(await versionsOf(after, ids)).toEqual(['2', '2']);
    expect(await actionOf(after, requestId)).toEqual({
      who: OPERATOR.userId,
      what: 'actors.migrated',
      subject_id: 'transaction',
      reason: 'The new release',
      outcome: '2 migrated, 0 unchanged',
    });
    // The same request once more changes nothing.
    await migrateAsOperator(after, OPERATOR, request);
    expect(await actionOf(after, requestId)).toMatchObject({ outcome: '2 migrated, 0 unchanged' });
  });

  test('are migrated by a journal entry with operator, reason and request, unless the command does it', async () => {
    const { before, after } = await upgraded(database());
    const requested = await before.startTransaction();
    const { fingerprint } = await previewMigration(after, TO_SECOND);
    const requestId = newRequestId();
    await migrateAsOperator(after, OPERATOR, { ...TO_SECOND, fingerprint, reason: 'The new release', requestId });
    const requester = { by: OPERATOR.userId, reason: 'The new release', requestId };
    expect(await lastEventOf(after, requested)).toMatchObject({ type: 'engine.migrated', ...requester });

    const commanded = await before.startTransaction();
    await moveActors(after, TO_SECOND);
    const event = await lastEventOf(after, commanded);
    expect(Object.keys(event).toSorted()).toEqual(['at', 'from', 'snapshot', 'to', 'type']);
    for (const id of [requested, commanded]) expect((await replay(after.db, after.kinds, id))?.equal).toBe(true);
  });

  test('are not migrated with the fingerprint of another preview, or without a reason', async () => {
    const { before, after } = await upgraded(database());
    const id = await before.startTransaction();
    const requestId = newRequestId();
    const request = { ...TO_SECOND, fingerprint: 'another', reason: 'Because', requestId };
    await expect(migrateAsOperator(after, OPERATOR, request)).rejects.toMatchObject({ code: 'STALE' });
    expect(await actionOf(after, requestId)).toMatchObject({ outcome: 'refused: the preview is out of date' });
    const { fingerprint } = await previewMigration(after, TO_SECOND);
    const silent = { ...TO_SECOND, fingerprint, reason: ' ', requestId: newRequestId() };
    await expect(migrateAsOperator(after, OPERATOR, silent)).rejects.toMatchObject({ code: 'INVALID_REASON' });
    expect(await versionsOf(after, [id])).toEqual(['1']);
  });

  test('are not migrated by repeating a refused request, with its fingerprint or another', async () => {
    const { before, after } = await upgraded(database());
    const id = await before.startTransaction();
    const request = { ...TO_SECOND, fingerprint: 'another', reason: 'Because', requestId: newRequestId() };
    for (const _ of ['the request', 'its repeat'])
      await expect(migrateAsOperator(after, OPERATOR, request)).rejects.toMatchObject({ code: 'STALE' });
    const { fingerprint } = await previewMigration(after, TO_SECOND);
    const reused = { ...request, fingerprint };
    await expect(migrateAsOperator(after, OPERATOR, reused)).rejects.toMatchObject({ code: 'REQUEST_REUSED' });
    expect(await versionsOf(after, [id])).toEqual(['1']);
  });

  test('are counted over all tries of an interrupted request', async () => {
    const { before, after } = await upgraded(database());
    await before.startTransaction();
    await before.startTransaction();
    const request = await interruptMigration(after, 2);
    expect(await actionOf(after, request.requestId)).toMatchObject({ outcome: null });
    const late = await before.startTransaction();
    await migrateAsOperator(after, OPERATOR, request);
    expect(await actionOf(after, request.requestId)).toMatchObject({ outcome: '3 migrated, 0 unchanged' });
    expect(await versionsOf(after, [late])).toEqual(['2']);
  });

  test('say how many were migrated before a request was refused', async () => {
    const { before, after } = await upgraded(database());
    await before.startTransaction();
    const request = await interruptMigration(after, 2);
    const broken = await before.startTransaction();
    await sql`update actor set snapshot = '{}'::json where id = ${broken}`.execute(after.db);
    await expect(migrateAsOperator(after, OPERATOR, request)).rejects.toMatchObject({ code: 'STALE' });
    const { actions } = await listActions(after.db, { who: null, cursor: null, limit: 100 });
    const { outcome } = actions.find(({ requestId }) => requestId === request.requestId) ?? {};
    expect(outcome).toBe('refused: the preview is out of date; 1 migrated');
  });

  test('are refused when a request that was interrupted at its start is repeated too late', async () => {
    const { before, after } = await upgraded(database());
    const id = await before.startTransaction();
    const request = await interruptMigration(after, 1);
    expect(await actionOf(after, request.requestId)).toMatchObject({ outcome: null });
    await sql`update actor set snapshot = '{}'::json where id = ${id}`.execute(after.db);
    await expect(migrateAsOperator(after, OPERATOR, request)).rejects.toMatchObject({ code: 'STALE' });
    expect(await actionOf(after, request.requestId)).toMatchObject({ outcome: 'refused: the preview is out of date' });
  });

  test('that this release does not have are listed as missing, and cannot be migrated', async () => {
    const { before, after } = await upgraded(database());
    await before.startTransaction();
    const kinds = createKindRegistry(after.kinds.list());
    const downgraded = { ...after, kinds };
    expect(await listChartVersions(downgraded, 'transaction')).toMatchObject([
      { version: '2', registered: 'current' },
      { version: '1', registered: 'missing', unfinished: 1 },
    ]);
    await expect(previewMigration(downgraded, TO_SECOND)).rejects.toMatchObject({ code: 'CHART_VERSION_UNKNOWN' });
    // None of its actors is counted.
    const { db, statements } = recording(downgraded.db);
    await expect(previewMigration({ ...downgraded, db }, TO_SECOND)).rejects.toThrow();
    expect(statements).toEqual([]);
    await expect(listChartVersions(after, 'nothing')).rejects.toMatchObject({ code: 'UNKNOWN_KIND' });
  });

  test('are counted, previewed and migrated within the time limits of requests', async () => {
    const { before, after } = await upgraded(database());
    const id = await before.startTransaction();
    const { db, statements } = recording(after.db);
    const deps = { ...after, db };
    await listChartVersions(deps, 'transaction');
    const { fingerprint } = await previewMigration(deps, TO_SECOND);
    const request = { ...TO_SECOND, fingerprint, reason: 'Because', requestId: newRequestId() };
    await migrateAsOperator(deps, OPERATOR, request);
    expect(await versionsOf(after, [id])).toEqual(['2']);
    expect(statements.filter((text) => text.includes('from actor'))).not.toEqual([]);
    expect(statements.filter((text) => text.includes('timeout'))).toEqual([]);
    // The command has no limit.
    await dryRunOf({ ...deps, liftsTimeouts: true }, TO_SECOND);
    expect(statements.filter((text) => text.includes('statement_timeout'))).not.toEqual([]);
  });

  test('with very many actors are left to the command', async () => {
    const { before, after } = await upgraded(database());
    const id = await before.startTransaction();
    await copy(after, id, MAX_MIGRATED_ACTORS);
    await expect(previewMigration(after, TO_SECOND)).rejects.toMatchObject({
      code: 'TOO_MANY_ACTORS',
      message: expect.stringContaining('quittance actor migrate --kind transaction --from 1 --to 2'),
    });
  });
});

// Helpers

/** The service before and after an upgrade that brings version 2 of the chart of payments. */
async function upgraded(database: Parameters<typeof createInstallation>[0]) {
  const before = createInstallation(database);
  for (const table of ['journal_entry', 'timer', 'actor'] as const) await before.db.deleteFrom(table).execute();
  const first = before.kinds.get('transaction');
  const others = before.kinds.list().filter(({ name }) => name !== 'transaction');
  return { before, after: { ...before, kinds: createKindRegistry([...others, first, secondOf(first)]) } };
}

function secondOf(kind: ActorKind): ActorKind {
  const { config, implementations } = kind.machine;
  const machine: AnyStateMachine = createMachine({ ...config, version: '2' } as never, implementations as never);
  return { ...kind, machine, version: '2', stepper: createStepper(machine) };
}

async function versionsOf({ db }: Installation, ids: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('actor').select('version').where('id', 'in', ids).execute();
  return rows.map(({ version }) => version);
}

async function lastEventOf({ db }: Installation, id: string): Promise<object> {
  return (await readJournal(db, id)).at(-1)?.event ?? {};
}

async function actionOf({ db }: Installation, requestId: string): Promise<object | undefined> {
  const { rows } = await sql<object>`
    select who, what, subject_id, reason, outcome from operator_action where request_id = ${requestId}`.execute(db);
  return rows[0];
}

/** The same database, with the text of the raw statements sent through it. */
function recording(db: Installation['db']): { readonly db: Installation['db']; readonly statements: string[] } {
  const statements: string[] = [];
  const recorded = db.withPlugin({
    transformQuery({ node }) {
      if (node.kind === 'RawNode') statements.push(node.sqlFragments.join('?'));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { db: recorded, statements };
}

/** A request whose process died after it had read its clock so often. */
async function interruptMigration(after: Installation, readings: number) {
  const { fingerprint } = await previewMigration(after, TO_SECOND);
  const request = { ...TO_SECOND, fingerprint, reason: 'Because', requestId: newRequestId() };
  const interrupted = { ...after, clock: { ...after.clock, now: failAfter(readings, after.clock.now) } };
  await expect(migrateAsOperator(interrupted, OPERATOR, request)).rejects.toThrow('interrupted');
  return request;
}

/** The clock of a process that dies at a later reading. */
function failAfter(readings: number, now: () => number): () => number {
  let left = readings;
  return () => {
    left -= 1;
    if (left < 0) throw new Error('interrupted');
    return now();
  };
}

/** Copies of the row alone: more than the limit is refused before any of them is read. */
async function copy({ db }: Installation, id: string, copies: number): Promise<void> {
  await sql`
    insert into actor (id, kind, version, state, status, snapshot, sequence, created_at, updated_at, state_entered_at)
    select 'copy_' || index, kind, version, state, status, snapshot, sequence, created_at, updated_at, state_entered_at
    from actor, generate_series(1, ${copies}::int4) as index where id = ${id}`.execute(db);
}

import { expect, test } from 'vitest';
import {
  createRunWorker,
  getActor,
  getRun,
  listActions,
  moveRun,
  moveRunAsOperator,
  type Operator,
  planRun,
} from '../../src/operations/index.ts';
import { advanceRun } from '../../src/operations/runs/advance-run.ts';
import { cancelForgottenRuns } from '../../src/operations/runs/run.ts';
import { type Engine, insertDeadLetters } from '../../src/platform/engine/index.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { POLLING } from '../support/polling.ts';
import { silentLog } from '../support/silent-log.ts';
import { createInstallation, type Installation, newRequestId, OPERATOR } from './installation.ts';

const PAUSE = { what: 'send_event', type: 'customer.stopped', fields: {} } as const;
const UNCONFIRMED = { kind: 'schedule', state: 'unconfirmed' } as const;

describeDatabases('bulk runs', (database) => {
  test('are planned without effect and then applied to each actor, except those that have moved on', async () => {
    const all = createInstallation(database());
    const ids = await startSchedules(all, 60);
    const run = await planRun(all, OPERATOR, plan());
    expect(run).toMatchObject({ state: 'planned', total: 60, outcomes: {}, who: 'usr_operator' });
    expect(await advanceRun(all)).toBe(false);
    const [moved = '', ...others] = ids;
    await all.engine.deliver({
      actorId: moved,
      eventId: 'merchant:x',
      event: { type: 'merchant.confirmation_resent' },
    });

    await moveRun(all.db, run.id, 'start', all.clock.now());
    while (await advanceRun(all));
    expect(await getRun(all.db, { runId: run.id })).toMatchObject({
      state: 'done',
      outcomes: { applied: 59, stale: 1 },
    });
    for (const id of others) expect(await stateOf(all, id)).toBe('ended.stoppedByCustomer');
    expect(await stateOf(all, moved)).toBe('unconfirmed');
    const journal = await all.db
      .selectFrom('journal_entry')
      .select(['event', 'event_id'])
      .where('actor_id', '=', others[0] ?? '')
      .where('sequence', '=', 2)
      .executeTakeFirstOrThrow();
    expect(journal).toMatchObject({
      event_id: `operator:${run.id}`,
      event: { by: 'usr_operator', reason: 'they asked' },
    });
    await stopAll(all, [moved]);
  });

  test('continue after a crash in the middle, without repeating anything', async () => {
    const all = createInstallation(database());
    const ids = await startSchedules(all, 70);
    const run = await planRun(all, OPERATOR, plan());
    await moveRun(all.db, run.id, 'start', all.clock.now());
    const crash = () => {
      throw new Error('the process is gone');
    };
    await expect(advanceRun({ ...all, crash })).rejects.toThrow('gone');
    // It cannot be taken until the lease of the dead process expires.
    expect(await advanceRun(all)).toBe(false);
    all.clock.advance(60_001);
    while (await advanceRun(all));
    expect(await getRun(all.db, { runId: run.id })).toMatchObject({ state: 'done', outcomes: { applied: 70 } });
    for (const id of ids) expect((await getActor(all, id)).steps).toBe(2);
  });

  test('can be paused between two batches, resumed, and cancelled', async () => {
    const all = createInstallation(database());
    const ids = await startSchedules(all, 120);
    const { id: runId } = await planRun(all, OPERATOR, plan());
    const move = (to: 'start' | 'pause' | 'cancel') => moveRun(all.db, runId, to, all.clock.now());
    await move('start');
    await advanceRun(all);
    expect(await move('pause')).toMatchObject({ state: 'paused', outcomes: { applied: 50 } });
    expect(await advanceRun(all)).toBe(false);
    await move('start');
    await advanceRun(all);
    expect(await move('cancel')).toMatchObject({ state: 'cancelled', outcomes: { applied: 100 } });
    expect(await advanceRun(all)).toBe(false);
    await expect(move('start')).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await expect(moveRun(all.db, 'req_none', 'start', 0)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
    await stopAll(all, ids);
  });

  test('a failing run does not block later ones', async () => {
    const all = createInstallation(database());
    const ids = await startSchedules(all, 2);
    const stuck = await planRun(all, OPERATOR, plan());
    await startSchedules(all, 1);
    all.clock.advance(1);
    const later = await planRun(all, OPERATOR, plan());
    for (const { id } of [stuck, later]) await moveRun(all.db, id, 'start', all.clock.now());
    const engine: Pick<Engine, 'deliver' | 'deliverIf'> = {
      deliver: all.engine.deliver,
      deliverIf: (command) =>
        command.eventId.endsWith(stuck.id)
          ? Promise.reject(new RetryableError('BUSY', 'come back'))
          : all.engine.deliverIf(command),
    };
    await expect(advanceRun({ ...all, engine })).rejects.toMatchObject({ code: 'BUSY' });
    while (await advanceRun({ ...all, engine }));
    expect(await getRun(all.db, { runId: later.id })).toMatchObject({ state: 'done', outcomes: { applied: 3 } });
    expect(await getRun(all.db, { runId: stuck.id })).toMatchObject({ state: 'running', outcomes: {} });
    all.clock.advance(30_000);
    while (await advanceRun(all));
    expect(await getRun(all.db, { runId: stuck.id })).toMatchObject({ state: 'done', outcomes: { stale: ids.length } });
  });

  test('a plan that was never started is cancelled, a started run is not', async () => {
    const all = createInstallation(database());
    const ids = await startSchedules(all, 1);
    const [forgotten, running] = [await planRun(all, OPERATOR, plan()), await planRun(all, OPERATOR, plan())];
    await moveRun(all.db, running.id, 'start', all.clock.now());
    const states = async () =>
      Promise.all([forgotten, running].map(async ({ id }) => (await getRun(all.db, { runId: id })).state));
    await cancelForgottenRuns(all.db, all.clock.now(), all.clock.now());
    expect(await states()).toEqual(['planned', 'running']);
    await cancelForgottenRuns(all.db, all.clock.now() + 1, all.clock.now());
    expect(await states()).toEqual(['cancelled', 'running']);
    await expect(moveRun(all.db, forgotten.id, 'start', all.clock.now())).rejects.toMatchObject({
      code: 'INVALID_STATE',
    });
    while (await advanceRun(all));
    expect(await stateOf(all, ids[0] ?? '')).toBe('ended.stoppedByCustomer');
  });

  test('the audit shows who planned, started and cancelled a run, each once', async () => {
    const all = createInstallation(database());
    const ids = await startSchedules(all, 2);
    const { id: runId } = await planRun(all, OPERATOR, plan());
    const other: Operator = { userId: 'usr_other' };
    for (const move of ['start', 'start', 'pause', 'cancel', 'cancel'] as const) {
      all.clock.advance(1);
      await moveRunAsOperator(all, other, runId, move);
    }
    await expect(moveRunAsOperator(all, other, runId, 'start')).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await expect(moveRunAsOperator(all, other, 'req_none', 'start')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
    const { actions } = await listActions(all.db, { who: null, cursor: null, limit: 200 });
    const done = actions.filter(({ subjectId }) => subjectId === runId);
    expect(done.map(({ what, who, outcome }) => [what, who.userId, outcome])).toEqual([
      ['run.cancelled', 'usr_other', 'done'],
      ['run.paused', 'usr_other', 'done'],
      ['run.started', 'usr_other', 'done'],
      ['events.planned', OPERATOR.userId, 'planned'],
    ]);
    await stopAll(all, ids);
  });

  test('a worker picks up started runs, and several workers share one', async () => {
    const all = createInstallation(database());
    await startSchedules(all, 110);
    const { id: runId } = await planRun(all, OPERATOR, plan());
    const workers = [1, 2].map(() => createRunWorker({ ...all, log: silentLog, pollEveryMs: 5 }));
    for (const worker of workers) worker.start();
    await moveRun(all.db, runId, 'start', all.clock.now());
    await expect.poll(async () => (await getRun(all.db, { runId })).state, POLLING).toBe('done');
    await Promise.all(workers.map((worker) => worker.stop()));
    expect((await getRun(all.db, { runId })).outcomes).toEqual({ applied: 110 });
  });

  test('dead letters are retried in the same way', async () => {
    const all = createInstallation(database());
    const deadLetters = [1, 2, 3].map((number) => ({
      queue: 'q',
      messageId: `run:${number}`,
      actorId: null,
      data: number,
      reason: 'x',
    }));
    await insertDeadLetters(all.db, deadLetters);
    const task = { what: 'retry_dead_letter' } as const;
    const run = await planRun(all, OPERATOR, { task, filter: null, reason: 'repaired', requestId: newRequestId() });
    await moveRun(all.db, run.id, 'start', all.clock.now());
    while (await advanceRun(all));
    expect(await getRun(all.db, { runId: run.id })).toMatchObject({ state: 'done', outcomes: { settled: 3 } });
    // In any order: dead letters with the same timestamp have none.
    expect(all.published).toHaveLength(3);
    expect(new Set(all.published.map(({ data }) => data))).toEqual(new Set([1, 2, 3]));
  });

  test('dead letters of one queue are retried as a group, which is one of the operator actions', async () => {
    const all = createInstallation(database());
    const [verify, engine] = ['verify.litecoin-regtest', 'engine-of-the-test'];
    await insertDeadLetters(
      all.db,
      [verify, engine, verify].map((queue, number) => ({
        queue,
        messageId: `group:${number}`,
        actorId: null,
        data: { number },
        reason: 'HTTP 401',
      })),
    );
    const task = { what: 'retry_dead_letter', queue: verify } as const;
    const requestId = newRequestId();
    const run = await planRun(all, OPERATOR, { task, filter: null, reason: 'the password is right again', requestId });
    expect(run).toMatchObject({ state: 'planned', total: 2, task });
    expect(all.published).toEqual([]);
    await moveRunAsOperator(all, OPERATOR, run.id, 'start');
    while (await advanceRun(all));
    expect(all.published.map(({ queue }) => queue)).toEqual([verify, verify]);
    const open = await all.db
      .selectFrom('dead_letter')
      .select('queue')
      .where('resolved_at', 'is', null)
      .where('queue', 'in', [verify, engine])
      .execute();
    expect(open).toEqual([{ queue: engine }]);
    const { actions } = await listActions(all.db, { who: null, cursor: null, limit: 200 });
    expect(actions.filter(({ subjectId }) => subjectId === run.id)).toMatchObject([
      { what: 'run.started', outcome: 'done' },
      {
        what: 'dead_letters.retry_planned',
        who: { userId: OPERATOR.userId },
        reason: 'the password is right again',
        details: { total: 2, queue: verify },
      },
    ]);
    const none = { task: { ...task, queue: 'no.such' }, filter: null, reason: 'x', requestId: newRequestId() };
    await expect(planRun(all, OPERATOR, none)).rejects.toMatchObject({ code: 'NOTHING_TO_DO' });
    await all.db.deleteFrom('dead_letter').where('queue', '=', engine).execute();
  });

  test('a repeated request is one run; a plan without actors, or for an action not offered, is rejected', async () => {
    const all = createInstallation(database());
    const ids = await startSchedules(all, 2);
    const input = plan();
    const first = await planRun(all, OPERATOR, input);
    expect(await planRun(all, OPERATOR, input)).toEqual(first);
    const other: Operator = { userId: 'usr_other' };
    await expect(planRun(all, other, input)).rejects.toMatchObject({ code: 'REQUEST_REUSED' });
    const none = { ...plan(), filter: { ...UNCONFIRMED, restingMs: 10 ** 12 } };
    await expect(planRun(all, OPERATOR, none)).rejects.toMatchObject({ code: 'NOTHING_TO_DO' });
    const notOffered = { ...plan(), task: { ...PAUSE, type: 'customer.confirmed' } };
    await expect(planRun(all, OPERATOR, notOffered)).rejects.toMatchObject({ code: 'EVENT_NOT_OFFERED' });
    await stopAll(all, ids);
  });
});

function plan() {
  return { task: PAUSE, filter: UNCONFIRMED, reason: 'they asked', requestId: newRequestId() };
}

function startSchedules(all: Installation, count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => all.startSchedule()));
}

/** Ends the actors before the next test. */
async function stopAll({ engine }: Installation, ids: readonly string[]): Promise<void> {
  await Promise.all(
    ids.map((actorId) => engine.deliver({ actorId, eventId: 'end', event: { type: 'merchant.cancelled' } })),
  );
}

async function stateOf({ db }: Installation, id: string): Promise<string> {
  return (await db.selectFrom('actor').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state;
}

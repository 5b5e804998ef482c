import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { getActor, readJournalPage, readStepDetail } from '../../src/operations/index.ts';
import { changesBetween } from '../../src/operations/journal/json-changes.ts';
import { confirmed, seen } from '../machines/transaction/observations.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { newActorId } from '../support/service/engine.ts';
import { deliverAll, transactionEvents } from './histories.ts';
import { createInstallation } from './installation.ts';

describeDatabases('the history of an actor', (database) => {
  test('each step is shown with its changes, its effects, and its path through the chart', async () => {
    const all = createInstallation(database());
    const id = await all.startTransaction();
    await all.engine.deliver({ actorId: id, eventId: 'chain:a:0:1', event: { ...seen({ order: 1, firstSeenAt: 1 }) } });
    await all.engine.deliver({ actorId: id, eventId: 'merchant:x', event: { type: 'merchant.dismissed', by: 'k' } });
    await all.engine.deliver({
      actorId: id,
      eventId: 'chain:a:0:2',
      event: { ...confirmed({ order: 2, firstSeenAt: 1 }) },
    });

    const started = await readStepDetail(all, id, 1);
    expect(started.visited).toEqual([
      { path: 'open', count: 1 },
      { path: 'open.awaitingPayment', count: 1 },
    ]);
    expect(started.taken).toEqual([]);
    expect(started.effects.map(({ type }) => type)).toEqual(['watchAddress', 'startTimer', 'notifyMerchant']);

    const confirming = await readStepDetail(all, id, 2);
    expect(confirming.step).toMatchObject({ state: 'confirming', outcome: 'applied', source: 'chain' });
    expect(confirming.taken).toEqual([
      { transitionId: ':chain.output_seen:0', count: 1 },
      { transitionId: 'open.awaitingPayment:always:0', count: 1 },
      { transitionId: 'confirming:always:5', count: 1 },
    ]);
    expect(confirming.visited.at(-1)).toEqual({ path: 'confirming', count: 1 });
    expect(confirming.changes).toContainEqual({ path: '/notifications', before: 1, after: 2 });

    const ignored = await readStepDetail(all, id, 3);
    expect(ignored).toMatchObject({ step: { outcome: 'ignored', source: 'merchant' }, changes: [], effects: [] });

    const paid = await readStepDetail(all, id, 4);
    expect(paid.visited).toContainEqual({ path: 'completed', count: 1 });
    expect(paid.taken).toContainEqual({ transitionId: 'confirming:always:1', count: 1 });
    await expect(readStepDetail(all, id, 5)).rejects.toMatchObject({ code: 'STEP_NOT_FOUND' });
    await expect(readStepDetail(all, 'nobody', 1)).rejects.toMatchObject({ code: 'ACTOR_NOT_FOUND' });
  });

  test('an event of a user is shown with their email, that of another sender with none', async () => {
    const all = createInstallation(database());
    const [id, userId] = [await all.startTransaction(), `usr_${newActorId()}`];
    const email = `${userId}@example.com`;
    await all.db
      .insertInto('merchant_user')
      .values({ id: userId, merchant_id: null, email, role: 'operator' })
      .execute();
    for (const by of [userId, 'key_1'])
      await all.engine.deliver({ actorId: id, eventId: `operator:${by}`, event: { type: 'merchant.dismissed', by } });
    const emails = [1, 2, 3].map(async (sequence) => (await readStepDetail(all, id, sequence)).byEmail);
    expect(await Promise.all(emails)).toEqual([null, email, null]);
  });

  test('a stored snapshot that its journal does not give is shown as a difference, path by path', async () => {
    const all = createInstallation(database());
    const id = await all.startTransaction();
    expect(await getActor(all, id)).toMatchObject({ isSound: true, drift: [] });
    const changed = sql`jsonb_set(snapshot::jsonb, '{context,notifications}', '7')::json`;
    await sql`update actor set snapshot = ${changed} where id = ${id}`.execute(all.db);
    const { isSound, drift } = await getActor(all, id);
    expect({ isSound, drift }).toEqual({
      isSound: false,
      drift: [{ path: '/context/notifications', before: 1, after: 7 }],
    });
  });

  test('a state that is left and re-entered counts each time', async () => {
    const all = createInstallation(database());
    const id = await all.startDelivery();
    const failure = { kind: 'timeout', status: null, detail: '' };
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const failed = { type: 'sender.attempt_failed', attempt, failure, jitter: 0 };
      await all.engine.deliver({ actorId: id, eventId: `attempt:${attempt}:answered`, event: failed });
      const again = { type: 'merchant.redelivery_requested' };
      await all.engine.deliver({ actorId: id, eventId: `redelivery:${attempt}`, event: again });
    }
    const { visited, taken } = await readStepDetail(all, id, 7);
    expect(visited).toEqual([
      { path: 'sending', count: 4 },
      { path: 'waiting', count: 3 },
    ]);
    expect(taken).toContainEqual({ transitionId: 'waiting:merchant.redelivery_requested:0', count: 3 });
  });

  test('a journal is read in pages, each step once', async () => {
    const all = createInstallation(database());
    const id = await all.startTransaction();
    await deliverAll(
      all,
      id,
      Array.from({ length: 6 }, () => ({ type: 'merchant.dismissed', by: 'k' })),
    );
    const first = await readJournalPage(all.db, id, { after: 0, limit: 4 });
    const second = await readJournalPage(all.db, id, { after: first.next ?? 0, limit: 4 });
    expect([...first.steps, ...second.steps].map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(second.next).toBeNull();
    await expect(readJournalPage(all.db, 'nobody', { after: 0, limit: 4 })).rejects.toMatchObject({
      code: 'ACTOR_NOT_FOUND',
    });
  });

  test('a snapshot that does not follow from its journal is reported', async () => {
    const all = createInstallation(database());
    const id = await all.startTransaction();
    expect(await getActor(all, id)).toMatchObject({ isSound: true, state: 'open.awaitingPayment', steps: 1 });
    await all.db
      .updateTable('actor')
      .set({
        snapshot: JSON.stringify({
          value: { open: 'awaitingPayment' },
          context: { notifications: 9 },
          status: 'active',
        }),
      })
      .where('id', '=', id)
      .execute();
    expect(await getActor(all, id)).toMatchObject({ isSound: false });
  });

  test('for any events, the steps connect and end in the current state of the actor', async () => {
    const all = createInstallation(database());
    await assertAsyncProperty(
      fc.asyncProperty(transactionEvents, async (events) => {
        const id = await all.startTransaction();
        await deliverAll(all, id, events);
        const { steps } = await readJournalPage(all.db, id, { after: 0, limit: 100 });
        let before: unknown = {};
        for (const { sequence, state, outcome } of steps) {
          const stepDetail = await readStepDetail(all, id, sequence);
          expect(stepDetail.changes).toEqual(changesBetween(before, stepDetail.context));
          expect(stepDetail.visited.some(({ path }) => path === state)).toBe(true);
          if (outcome === 'ignored') expect(stepDetail.changes).toEqual([]);
          before = stepDetail.context;
        }
        const actor = await getActor(all, id);
        expect(actor.isSound).toBe(true);
        expect(before).toEqual(actor.context);
      }),
      { numRuns: level.runs(15) },
    );
  });
});

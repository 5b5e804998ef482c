import { expect, test } from 'vitest';
import { readInstallationFigures } from '../../src/operations/health/installation-figures.ts';
import { listActions, resolveAlert } from '../../src/operations/index.ts';
import { raiseOperatorAlerts } from '../../src/payments/index.ts';
import { onlyReadable } from '../../src/platform/db/index.ts';
import { UnreadableValue } from '../../src/platform/db/unreadable.ts';
import { insertPayments, PLAIN } from '../payments/search/rows.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { newActorId } from '../support/service/engine.ts';
import { createInstallation, newRequestId, OPERATOR } from './installation.ts';

describeDatabases('operator alerts', (database) => {
  test('are resolved once per request, by name and with a reason, and stay resolved', async () => {
    const all = createInstallation(database());
    const { db } = database();
    const [id, other] = await Promise.all([raise(), raise()]);
    const request = { reason: 'the customer got the coins back', requestId: newRequestId() };
    await Promise.all([resolveAlert(all, OPERATOR, id, request), resolveAlert(all, OPERATOR, id, request)]);
    expect(await openOf([id, other])).toEqual([other]);
    const { actions } = await listActions(db, { who: null, cursor: null, limit: 1 });
    const details = { alert: 'wallet_used_before', actor: null };
    expect(actions).toMatchObject([{ what: 'alert.resolved', subjectId: String(id), details, reason: request.reason }]);

    const again = { ...request, requestId: newRequestId() };
    await expect(resolveAlert(all, OPERATOR, id, again)).rejects.toMatchObject({ code: 'ALERT_NOT_FOUND' });
    const reused = resolveAlert(all, OPERATOR, other, request);
    await expect(reused).rejects.toMatchObject({ code: 'REQUEST_REUSED' });
    const silent = resolveAlert(all, OPERATOR, other, { reason: ' ', requestId: newRequestId() });
    await expect(silent).rejects.toMatchObject({ code: 'INVALID_REASON' });
    expect(await openOf([id, other])).toEqual([other]);
    // Nothing is recorded of a request that was refused.
    expect((await listActions(db, { who: null, cursor: null, limit: 1 })).actions[0]?.subjectId).toBe(String(id));
  });

  test('of test payments are listed apart, counted nowhere, at most 100 of them open, and can be resolved', async () => {
    const all = createInstallation(database());
    const { db } = database();
    await db.deleteFrom('operator_alert').execute();
    const ids = Array.from({ length: 101 }, () => newActorId());
    const [live = '', ...tests] = ids;
    await insertPayments(
      db,
      ids.map((id) => ({ ...PLAIN, id, mode: id === live ? ('live' as const) : ('test' as const) })),
    );
    const alertOf = (actorId: string) => {
      const mode = actorId === live ? ('live' as const) : ('test' as const);
      return { actorId, mode, alert: 'completed_payment_lost', detail: 'the coins are gone' };
    };
    const raiseAll = (some: readonly string[]) =>
      db.transaction().execute((trx) => raiseOperatorAlerts(trx, some.map(alertOf)));
    await raiseAll(tests);
    const messages = db.selectFrom('outbox_message').select('id').where('id', 'like', 'alert:%');
    expect(await messages.execute()).toEqual([]);
    await raiseAll([...tests.slice(0, 3), live]);
    expect(await messages.execute()).toHaveLength(1);
    const { alerts, testAlerts, openAlerts } = await look();
    expect(alerts.map(({ actorId }) => actorId)).toEqual([live]);
    expect(testAlerts.map(({ actorId }) => actorId).toSorted()).toEqual(tests.toSorted());
    expect(openAlerts).toEqual([{ alert: 'completed_payment_lost', count: 1 }]);

    const request = { reason: 'practised', requestId: newRequestId() };
    await resolveAlert(all, OPERATOR, testAlerts[0]?.id ?? 0, request);
    expect((await look()).testAlerts).toEqual(testAlerts.slice(1));
    await raiseAll(tests.slice(0, 1));
    expect((await look()).testAlerts).toHaveLength(tests.length);
  });

  test('an unreadable row of a test payment is counted like any other fault', async () => {
    const { db } = database();
    await db.deleteFrom('operator_alert').execute();
    const id = newActorId();
    await insertPayments(db, [{ ...PLAIN, id, mode: 'test' }]);
    const row = { due_at: new UnreadableValue('no number stands for it') };
    await onlyReadable(db, [row], () => ({ what: 'timer window_closed', actorId: id }));
    const { alerts, testAlerts, openAlerts } = await look();
    expect(alerts.map(({ actorId }) => actorId)).toEqual([id]);
    expect(testAlerts).toEqual([]);
    expect(openAlerts).toEqual([{ alert: 'row_unreadable', count: 1 }]);
  });

  function look() {
    const [bus, rates] = [{ waiting: async () => new Map() }, { status: () => [] }];
    return readInstallationFigures({ ...createInstallation(database()), bus, rates, networks: [] });
  }

  async function raise(): Promise<number> {
    const alert = { alert: 'wallet_used_before', detail: 'the wallet has received coins on its own' };
    const { id } = await database()
      .db.insertInto('operator_alert')
      .values(alert)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async function openOf(ids: readonly number[]): Promise<number[]> {
    const rows = await database()
      .db.selectFrom('operator_alert')
      .select('id')
      .where('id', 'in', ids)
      .where('resolved_at', 'is', null)
      .execute();
    return rows.map(({ id }) => id);
  }
});

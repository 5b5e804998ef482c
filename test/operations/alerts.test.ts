import { expect, test } from 'vitest';
import { listActions, resolveAlert } from '../../src/operations/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
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

import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { describeConsole } from '../support/describe-console.ts';
import { type ActionContext, AUDITED_ACTIONS, AUDITED_ELSEWHERE, CHANGES_NOTHING } from './audited-actions.ts';
import { addSeller, COMPLETE_SERVICE, createResources, type MerchantResources } from './resources.ts';
import { listConsoleRoutes, nameOf } from './route-table.ts';

describeConsole('every change made in the console', COMPLETE_SERVICE, async (console) => {
  const changing = (await listConsoleRoutes()).filter(({ method }) => method !== 'GET').map(nameOf);
  let of: MerchantResources;
  let context: ActionContext;
  beforeAll(async () => {
    await addSeller(console);
    of = await createResources(console);
    const ask: ActionContext['ask'] = (request) => console.call('owner', request);
    context = { console, of, ask, operate: (request) => console.call('operator', request) };
  }, 60_000);

  const idOf = async (who: 'owner' | 'operator'): Promise<string> =>
    (
      await console.db
        .selectFrom('merchant_user')
        .select('id')
        .where('email', '=', console.users[who].email)
        .executeTakeFirstOrThrow()
    ).id;
  const auditOf = async (what: string) =>
    console.db
      .selectFrom('audit_entry')
      .select(['who', 'merchant_id', 'subject_id', 'details'])
      .where('what', '=', what)
      .where('who', '=', `user ${await idOf('owner')}`)
      .execute();
  const actionsOf = async (what: string) =>
    (
      await sql`select outcome, reason from operator_action where what = ${what} and who = ${await idOf('operator')}`.execute(
        console.db,
      )
    ).rows;

  test('has a row in the table of audited actions', () => {
    const known = [...AUDITED_ACTIONS.map(({ route }) => route), ...CHANGES_NOTHING, ...AUDITED_ELSEWHERE];
    expect(new Set(known).size).toBe(known.length);
    expect(changing.toSorted()).toEqual(known.toSorted());
  });

  test.each(AUDITED_ACTIONS.map((action) => [action.route, action] as const))('%s', async (_, action) => {
    const entries = () => (action.log === 'audit' ? auditOf(action.what) : actionsOf(action.what));
    const before = (await entries()).length;
    const { status, text } = await action.do(context);
    expect(status, text).toBeLessThan(300);
    const after = await entries();
    expect(after.length, action.what).toBeGreaterThan(before);
  });

  test('is shown to the owner, without a secret or an address in it', async () => {
    const { entries } = (await console.call('neighbour', { path: '/merchant/audit?limit=200' })).data;
    expect(JSON.stringify(entries)).not.toContain(of.payment);
    const kept = await console.db.selectFrom('audit_entry').selectAll().execute();
    expect(kept.length).toBeGreaterThan(AUDITED_ACTIONS.length / 2);
    const text = JSON.stringify(kept);
    for (const secret of [
      ...Object.values(console.keys),
      console.users.owner.password,
      'whsec_',
      'zpub',
      '@example.com',
    ]) {
      expect(text.includes(secret), secret.slice(0, 8)).toBe(false);
    }
  });
});

import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { upsertMerchant } from '../../../src/merchants/index.ts';
import { describeConsole } from '../support/describe-console.ts';
import { type Belongings, furnish, WALLETS } from './belongings.ts';
import { AUDITED_IN_ACCOUNTS, CHANGES_NOTHING, DEEDS, type DeedStage } from './deeds.ts';
import { listConsoleRoutes, nameOf } from './route-table.ts';

const SELLER = 'who-sells-plans';

describeConsole(
  'every change made in the console',
  { wallets: WALLETS, env: { OPERATOR_MERCHANT: SELLER } },
  async (console) => {
    const changing = (await listConsoleRoutes()).filter(({ method }) => method !== 'GET').map(nameOf);
    let of: Belongings;
    let stage: DeedStage;
    beforeAll(async () => {
      await console.db
        .transaction()
        .execute((trx) =>
          upsertMerchant(trx, { name: SELLER, email: 'seller@example.com', plan: 'enterprise', settings: {} }),
        );
      of = await furnish(console);
      const ask: DeedStage['ask'] = (request) => console.call('owner', request);
      stage = { console, of, ask, operate: (request) => console.call('operator', request) };
    }, 60_000);

    const idOf = async (who: 'owner' | 'operator'): Promise<string> =>
      (
        await console.db
          .selectFrom('merchant_user')
          .select('id')
          .where('email', '=', console.people[who].email)
          .executeTakeFirstOrThrow()
      ).id;
    const auditOf = async (what: string) =>
      console.db
        .selectFrom('audit_entry')
        .select(['who', 'merchant_id', 'subject_id', 'details'])
        .where('what', '=', what)
        .where('who', '=', `user ${await idOf('owner')}`)
        .execute();
    const deedsOf = async (what: string) =>
      (
        await sql`select outcome, reason from operator_action where what = ${what} and who = ${await idOf('operator')}`.execute(
          console.db,
        )
      ).rows;

    test('has a row in the table of audited actions', () => {
      const known = [...DEEDS.map(({ route }) => route), ...CHANGES_NOTHING, ...AUDITED_IN_ACCOUNTS];
      expect(new Set(known).size).toBe(known.length);
      expect(changing.toSorted()).toEqual(known.toSorted());
    });

    test.each(DEEDS.map((deed) => [deed.route, deed] as const))('%s', async (_, deed) => {
      const entries = () => (deed.log === 'audit' ? auditOf(deed.what) : deedsOf(deed.what));
      const before = (await entries()).length;
      const { status, text } = await deed.do(stage);
      expect(status, text).toBeLessThan(300);
      const after = await entries();
      expect(after.length, deed.what).toBeGreaterThan(before);
    });

    test('is shown to the owner, without a secret or an address in it', async () => {
      const { entries } = (await console.call('neighbour', { path: '/merchant/audit?limit=200' })).data;
      expect(JSON.stringify(entries)).not.toContain(of.payment);
      const kept = await console.db.selectFrom('audit_entry').selectAll().execute();
      expect(kept.length).toBeGreaterThan(DEEDS.length / 2);
      const text = JSON.stringify(kept);
      for (const secret of [
        ...Object.values(console.keys),
        console.people.owner.password,
        'whsec_',
        'zpub',
        '@example.com',
      ]) {
        expect(text.includes(secret), secret.slice(0, 8)).toBe(false);
      }
    });
  },
);

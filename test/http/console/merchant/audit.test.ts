import { expect, test } from 'vitest';
import type { AuditEntryInfo, AuditList } from '../../../../src/http/console/merchant/audit/schemas.ts';
import type { Who } from '../support/console.ts';
import { describeConsole } from '../support/describe-console.ts';

describeConsole('the audit log of a merchant in the console', {}, (console) => {
  const read = async (query = '', who: Who = 'owner'): Promise<AuditList> =>
    (await console.call(who, { path: `/merchant/audit${query}` })).data;
  const setConfirmations = async (minConfirmations: number) => {
    const { values } = (await console.call('owner', { path: '/merchant/settings' })).data;
    const body = { changes: { minConfirmations }, seen: { minConfirmations: values.minConfirmations } };
    expect((await console.call('owner', { method: 'PATCH', path: '/merchant/settings', body })).status).toBe(200);
  };

  test('shows who did what, with the addresses of colleagues', async () => {
    await setConfirmations(2);
    const [newest] = (await read()).entries;
    expect(newest).toMatchObject({
      what: 'merchant.settings_changed',
      who: { kind: 'colleague', email: console.users.owner.email },
      subjectId: console.merchantId,
      subject: null,
      details: { before: { minConfirmations: 1 }, after: { minConfirmations: 2 } },
    });
    const staff = (await read('?what=user')).entries.find(({ subject }) => subject?.name === console.users.staff.email);
    expect(staff).toMatchObject({ what: 'user.created', who: { kind: 'other', name: 'test' } });
  });

  test('does not name operators, or users of other merchants', async () => {
    const { id } = await console.db
      .selectFrom('merchant_user')
      .select('id')
      .where('email', '=', console.users.operator.email)
      .executeTakeFirstOrThrow();
    await console.db
      .insertInto('audit_entry')
      .values({
        merchant_id: console.merchantId,
        who: `user ${id}`,
        what: 'api_key.revoked',
        subject_id: 'key_1',
        details: '{}',
        occurred_at: new Date(),
      })
      .execute();
    const response = await console.call('owner', { path: '/merchant/audit?what=api_key' });
    expect(response.data.entries[0]).toMatchObject({ what: 'api_key.revoked', who: { kind: 'operator' } });
    expect(response.text).not.toContain(console.users.operator.email);
    expect(response.text).not.toContain(id);
    const theirs = await read('', 'neighbour');
    expect(theirs.entries.map(({ what }) => what)).not.toContain('merchant.settings_changed');
    expect(theirs.entries.some(({ subjectId }) => subjectId === console.merchantId)).toBe(false);
  });

  test('is returned in pages, and can start at a given time', async () => {
    for (const count of [3, 4, 5, 6]) await setConfirmations(count);
    const whole = await read('?limit=200');
    expect(whole.cursor).toBeNull();
    const paged: AuditEntryInfo[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: AuditList = await read(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      paged.push(...page.entries);
      cursor = page.cursor;
    }
    expect(paged).toEqual(whole.entries);
    const [, second] = whole.entries;
    const since = await read(`?from=${second?.at ?? 0}`);
    expect(since.entries).toEqual(whole.entries.filter(({ at }) => at >= (second?.at ?? 0)));
    expect((await read(`?from=${Date.UTC(2200, 0)}`)).entries).toEqual([]);
  });

  test('names the invalid field', async () => {
    for (const [query, field] of [
      ['what=everything', 'what'],
      ['from=yesterday', 'from'],
      ['cursor=first', 'cursor'],
      ['cursor=0', 'cursor'],
      ['limit=201', 'limit'],
      ['merchantId=mer_other', '"merchantId"'],
    ] as const) {
      const response = await console.call('owner', { path: `/merchant/audit?${query}` });
      expect(response).toMatchObject({ status: 400, error: 'INVALID_REQUEST' });
      expect(response.message?.startsWith(`${field} `), response.message).toBe(true);
    }
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntryInfo, AuditList } from '../../../src/console/contract/audit.ts';
import { describePostgres } from '../../support/database.ts';
import { type Desk, openDesk, type Who } from './desk.ts';

describePostgres('the audit log of a merchant in the console', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
  }, 60_000);
  afterAll(() => desk?.close());

  const read = async (query = '', who: Who = 'owner'): Promise<AuditList> =>
    (await desk.call(who, { path: `/merchant/audit${query}` })).data;
  const setConfirmations = async (minConfirmations: number) => {
    const { values } = (await desk.call('owner', { path: '/merchant/settings' })).data;
    const body = { changes: { minConfirmations }, seen: { minConfirmations: values.minConfirmations } };
    expect((await desk.call('owner', { method: 'PATCH', path: '/merchant/settings', body })).status).toBe(200);
  };

  test('is for owners alone', async () => {
    for (const [who, status] of [
      [null, 401],
      ['staff', 403],
      ['operator', 403],
      ['observer', 403],
      ['owner', 200],
    ] as const) {
      expect(await desk.call(who, { path: '/merchant/audit' })).toMatchObject({ status });
    }
  });

  test('tells who did what, by the address of colleagues', async () => {
    await setConfirmations(2);
    const [newest] = (await read()).entries;
    expect(newest).toMatchObject({
      what: 'merchant.settings_changed',
      who: { kind: 'colleague', email: desk.people.owner.email },
      subjectId: desk.merchantId,
      subjectEmail: null,
      details: { before: { minConfirmations: 1 }, after: { minConfirmations: 2 } },
    });
    const staff = (await read('?what=user')).entries.find(
      ({ subjectEmail }) => subjectEmail === desk.people.staff.email,
    );
    expect(staff).toMatchObject({ what: 'user.created', who: { kind: 'other', name: 'test' } });
  });

  test('does not name those who run the service, nor people of other merchants', async () => {
    const { id } = await desk.db
      .selectFrom('merchant_user')
      .select('id')
      .where('email', '=', desk.people.operator.email)
      .executeTakeFirstOrThrow();
    await desk.db
      .insertInto('audit_entry')
      .values({
        merchant_id: desk.merchantId,
        who: `user ${id}`,
        what: 'api_key.revoked',
        subject_id: 'key_1',
        details: '{}',
        occurred_at: new Date(),
      })
      .execute();
    const answer = await desk.call('owner', { path: '/merchant/audit?what=api_key' });
    expect(answer.data.entries[0]).toMatchObject({ what: 'api_key.revoked', who: { kind: 'operator' } });
    expect(answer.text).not.toContain(desk.people.operator.email);
    expect(answer.text).not.toContain(id);
    const theirs = await read('', 'neighbour');
    expect(theirs.entries.map(({ what }) => what)).not.toContain('merchant.settings_changed');
    expect(theirs.entries.some(({ subjectId }) => subjectId === desk.merchantId)).toBe(false);
  });

  test('comes in pages, and from a moment on', async () => {
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

  test('names the field that makes no sense', async () => {
    for (const [query, field] of [
      ['what=everything', 'what'],
      ['from=yesterday', 'from'],
      ['cursor=first', 'cursor'],
      ['cursor=0', 'cursor'],
      ['limit=201', 'limit'],
      ['merchantId=mer_other', '"merchantId"'],
    ] as const) {
      const answer = await desk.call('owner', { path: `/merchant/audit?${query}` });
      expect(answer).toMatchObject({ status: 400, error: 'INVALID_REQUEST' });
      expect(answer.message?.startsWith(`${field} `), answer.message).toBe(true);
    }
  });
});

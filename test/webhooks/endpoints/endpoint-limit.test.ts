import { expect, test } from 'vitest';
import { TerminalError } from '../../../src/platform/errors.ts';
import { listEndpoints } from '../../../src/webhooks/index.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { createMerchant } from '../harness.ts';
import { endpointVerbs, UNLIMITED } from './endpoint-verbs.ts';

describeDatabases('the number of webhook endpoints', (database) => {
  const { create, change, remove } = endpointVerbs(database);
  const LIMITED = { ...UNLIMITED, plansEnabled: true };
  const nth = (merchantId: string, index: number) =>
    create({ merchantId, url: `https://shop.example/${index}` }, LIMITED);

  async function merchantOf(plan: string): Promise<string> {
    const id = await createMerchant(database());
    await give(id, plan);
    return id;
  }
  const give = (id: string, plan: string) =>
    database().db.updateTable('merchant').set({ plan }).where('id', '=', id).execute();

  test('never exceeds the plan, however many are created at once', async () => {
    const merchantId = await merchantOf('business');
    const settled = await Promise.allSettled(Array.from({ length: 12 }, (_, index) => nth(merchantId, index)));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const each of settled) {
      if (each.status === 'fulfilled') continue;
      expect(each.reason).toBeInstanceOf(TerminalError);
      expect(each.reason).toMatchObject({
        code: 'PLAN_UPGRADE_REQUIRED',
        message: expect.stringContaining('The plan business allows 3 webhook endpoints, and there are 3'),
      });
    }
    expect(await listEndpoints(database().db, merchantId)).toHaveLength(3);
  });

  test('includes disabled ones, decreases on deletion, and may stay above a lowered limit', async () => {
    const merchantId = await merchantOf('business');
    const made = [await nth(merchantId, 1), await nth(merchantId, 2), await nth(merchantId, 3)];
    const [first, second, third] = made.map(({ endpoint }) => endpoint.id);
    if (first === undefined || second === undefined || third === undefined) throw new Error('three were made');
    await give(merchantId, 'starter');
    await expect(nth(merchantId, 4)).rejects.toMatchObject({ code: 'PLAN_UPGRADE_REQUIRED' });
    expect(await listEndpoints(database().db, merchantId)).toHaveLength(3);
    await change(merchantId, first, { enabled: false, url: 'https://shop.example/moved' }, LIMITED);
    await change(merchantId, first, { enabled: true }, LIMITED);
    await remove(merchantId, first);
    await remove(merchantId, second);
    await expect(nth(merchantId, 4)).rejects.toMatchObject({
      message: expect.stringContaining('allows 1 webhook endpoint, and there are 1'),
    });
    await remove(merchantId, third);
    await expect(nth(merchantId, 4)).resolves.toMatchObject({ endpoint: { enabled: true } });
  });

  test('has no plan limit on enterprise, or while plans are off', async () => {
    const [enterprise, starter] = [await merchantOf('enterprise'), await merchantOf('starter')];
    for (let index = 0; index < 12; index += 1) {
      await nth(enterprise, index);
      await create({ merchantId: starter, url: `https://shop.example/${index}` });
    }
    await expect(nth(starter, 12)).rejects.toMatchObject({ code: 'PLAN_UPGRADE_REQUIRED' });
  });
});

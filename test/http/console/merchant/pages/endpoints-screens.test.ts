import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expectUsable, TABLET_TOO, VIEWPORTS } from '../../../../support/browser/axe.ts';
import { type Receiver, startReceiver } from '../../../../support/outside/receiver.ts';
import { POLLING } from '../../../../support/polling.ts';
import { level } from '../../../../support/run/level.ts';
import { describeConsolePages } from '../../support/describe-console.ts';
import { cutOffParts, picture } from './pages.ts';

describeConsolePages('the webhook pages on every screen', {}, (console) => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    const id = await add('/shown', { description: 'Web shop' });
    await tested(id);
    receiver.usually({ kind: 'status', status: 500, body: 'broken '.repeat(200) });
    await tested(id);
  }, 120_000);
  afterAll(async () => {
    await receiver?.close();
  });

  async function add(path: string, body: object): Promise<string> {
    const url = `http://127.0.0.1:${receiver.port}${path}`;
    const response = await console.call('owner', {
      method: 'POST',
      path: '/merchant/webhooks',
      body: { url, modes: ['live', 'test'], ...body },
    });
    expect(response.status).toBe(201);
    return response.data.id;
  }
  /** Waits until the first attempt was answered. */
  async function tested(endpointId: string): Promise<void> {
    const path = `/merchant/webhooks/${endpointId}/test`;
    const { data } = await console.call('owner', { method: 'POST', path, body: { event: 'payment.completed' } });
    const one = { path: `/merchant/webhooks/deliveries/${data.deliveryId}` };
    await vi.waitFor(async () => expect((await console.call('owner', one)).data.attempts).toHaveLength(1), POLLING);
  }

  test.each(['owner', 'staff'] as const)('fit, for %s', async (who) => {
    const watched = await console.open(who, '/webhooks');
    const { page } = watched;
    const isOwner = who === 'owner';
    // Staff see less of the same: the narrowest screen is enough, at the quick level the owner's.
    const check = async (part: string) => {
      if (!isOwner && !level.isFull) return;
      await expectUsable(watched, isOwner ? TABLET_TOO : VIEWPORTS.slice(-1), async ({ width, colorScheme }) => {
        expect(await cutOffParts(page), part).toEqual([]);
        await picture(page, `${part}-${who}-${width}-${colorScheme}`);
      });
    };
    await page.getByRole('link', { name: 'Web shop', exact: true }).waitFor();
    await check('list');
    expect(await page.getByRole('button', { name: 'Add an endpoint' }).count()).toBe(isOwner ? 1 : 0);
    if (isOwner) {
      await page.getByRole('button', { name: 'Add an endpoint' }).click();
      await page.getByText('Events: everything').click();
      await check('add');
      await page.keyboard.press('Escape');
    }
    await page.getByRole('link', { name: 'Web shop', exact: true }).click();
    const newest = page.getByRole('link', { name: 'payment.completed' }).first();
    await newest.waitFor();
    await check('one');
    const more = page.getByRole('button', { name: /^More actions for/ });
    expect(await more.count()).toBe(isOwner ? 1 : 0);
    if (isOwner) {
      await more.press('Enter');
      await page.getByRole('menuitem', { name: 'Delete…' }).waitFor();
      await check('menu');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Delete this endpoint' }).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => more.and(page.locator(':focus')).count(), POLLING).toBe(1);
    }
    await newest.click();
    await page.getByRole('dialog', { name: 'Delivery' }).getByText('Attempt 1').waitFor();
    await check('delivery');
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { describeBrowser, horizontalOverflow, startBrowser, type TestBrowser } from '../../support/browser.ts';
import { PATIENCE } from '../../support/engine.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { seriousViolations } from '../app/console-app.ts';
import { type Desk, openDesk } from './desk.ts';
import { cutOffParts, picture } from './pages.ts';

describeBrowser('the pages of webhooks on every screen', () => {
  let desk: Desk;
  let browser: TestBrowser;
  let receiver: Receiver;
  beforeAll(async () => {
    [desk, browser, receiver] = await Promise.all([
      openDesk({ hasPages: true, env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } }),
      startBrowser(),
      startReceiver(),
    ]);
    const id = await add('/shown', { description: 'Web shop' });
    await tested(id);
    receiver.usually({ kind: 'status', status: 500, body: 'broken '.repeat(200) });
    await tested(id);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await desk?.close();
    await receiver?.close();
  });

  async function add(path: string, body: object): Promise<string> {
    const url = `http://127.0.0.1:${receiver.port}${path}`;
    const answer = await desk.call('owner', { method: 'POST', path: '/merchant/webhooks', body: { url, ...body } });
    expect(answer.status).toBe(201);
    return answer.data.id;
  }
  /** Waits until the first attempt was answered. */
  async function tested(endpointId: string): Promise<void> {
    const path = `/merchant/webhooks/${endpointId}/test`;
    const { data } = await desk.call('owner', { method: 'POST', path, body: { event: 'payment.completed' } });
    const one = { path: `/merchant/webhooks/deliveries/${data.deliveryId}` };
    await vi.waitFor(async () => expect((await desk.call('owner', one)).data.attempts).toHaveLength(1), PATIENCE);
  }

  test.each([
    ['owner', 1440, 'light'],
    ['owner', 768, 'light'],
    ['owner', 390, 'dark'],
    ['staff', 390, 'dark'],
  ] as const)('fit, for %s at %i pixels in %s', async (who, width, colorScheme) => {
    const watched = await desk.open(browser, who, '/webhooks', { viewport: { width, height: 900 }, colorScheme });
    const { page } = watched;
    const looks = async (part: string) => {
      expect([await horizontalOverflow(page), await cutOffParts(page)]).toEqual([0, []]);
      if (who === 'owner' && width !== 768) expect(await seriousViolations(watched)).toEqual([]);
      await picture(page, `${part}-${who}-${width}-${colorScheme}`);
    };
    await page.getByRole('link', { name: 'Web shop', exact: true }).waitFor();
    await looks('list');
    expect(await page.getByRole('button', { name: 'Add an endpoint' }).count()).toBe(who === 'owner' ? 1 : 0);
    if (who === 'owner') {
      await page.getByRole('button', { name: 'Add an endpoint' }).click();
      await page.getByText('Events: everything').click();
      await looks('add');
      await page.keyboard.press('Escape');
    }
    await page.getByRole('link', { name: 'Web shop', exact: true }).click();
    const newest = page.getByRole('link', { name: 'payment.completed' }).first();
    await newest.waitFor();
    await looks('one');
    expect(await page.getByRole('button', { name: 'New secret' }).count()).toBe(who === 'owner' ? 1 : 0);
    await newest.click();
    await page.getByRole('dialog', { name: 'Delivery' }).getByText('Attempt 1').waitFor();
    await looks('delivery');
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});

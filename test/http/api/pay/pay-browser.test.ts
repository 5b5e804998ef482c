import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLink, type NewLink, type PaymentLink } from '../../../../src/links/index.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import type { CreatedSecrets } from '../../../../src/service/provisioning/apply.ts';
import { SINGLE_USE } from '../../../links/links-app.ts';
import {
  describeBrowser,
  horizontalOverflow,
  startBrowser,
  type TestBrowser,
  type WatchedPage,
} from '../../../support/browser/browser.ts';
import {
  createPostgresDatabase,
  describePostgres,
  type TestDatabase,
} from '../../../support/database/test-database.ts';
import { level } from '../../../support/run/level.ts';
import { createTestService, type RunningService } from '../../../support/service/service.ts';

const PHONE = { viewport: { width: 320, height: 640 } };

describePostgres('GET /pay on Postgres', () => {
  describeBrowser('in a browser', () => {
    let database: TestDatabase;
    let service: RunningService;
    let browser: TestBrowser;
    let shop: Server;
    let secrets: CreatedSecrets;
    let merchantId = '';
    let link = '';
    /** Referrers of the requests to the shop's own page. */
    const referrers: (string | undefined)[] = [];

    beforeAll(async () => {
      database = await createPostgresDatabase();
      service = await createTestService({
        env: { DATABASE_URL: database.url ?? '' },
        provisioning: { merchants: [{ name: 'Bäckerei Ähre', email: 'till@shop.example', plan: 'starter' }] },
      });
      await service.start();
      const [created] = await service.secrets();
      if (created === undefined) throw new Error('provisioning made no merchant');
      secrets = created;
      ({ id: merchantId } = await database.db.selectFrom('merchant').select('id').executeTakeFirstOrThrow());
      browser = await startBrowser();
      // A shop page with a payment link, on another origin.
      shop = createServer((request, response) => {
        referrers.push(request.headers.referer);
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end(
          `<!doctype html><title>Shop</title><link rel="icon" href="data:,"><a id="pay" href="${link}">Pay</a>`,
        );
      });
      await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    });
    afterAll(async () => {
      await browser.close();
      await service.remove();
      await database.drop();
      shop.closeAllConnections();
      await new Promise((resolve) => shop.close(resolve));
    });

    function payAddress(parameters: Readonly<Record<string, string>>): string {
      const query = new URLSearchParams({
        pk: secrets.keys?.pk_test ?? '',
        amount: '25',
        crypto: 'LTC',
        ...parameters,
      });
      return `${service.url}/v1/pay?${query}`;
    }

    function addLink(terms: Partial<NewLink>): Promise<PaymentLink> {
      const link = { merchantId, mode: 'test', slug: null, ...SINGLE_USE, ...terms } as const;
      return database.db.transaction().execute((trx) => createLink({ trx, who: 'test', now: systemClock.now() }, link));
    }

    async function screenshot({ page }: WatchedPage, name: string): Promise<void> {
      const folder = process.env.SCREENSHOTS;
      if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
    }

    test('a click in the shop opens the payment page, and a second click the same one', async () => {
      const opened = await browser.open({ ...PHONE, javaScriptEnabled: false });
      const { page, troubles } = opened;
      const successUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/thanks`;
      const { slug } = await addLink({ successUrl, title: 'Hochzeitstorte' });
      link = payAddress({ link: slug, amount: '1' });
      await page.goto(successUrl.replace('/thanks', '/'));
      await page.click('#pay');
      await page.waitForURL(`${service.url}/transaction/txn_*`);
      expect(await page.textContent('h1')).toBe('Pay 25.00 USD');
      await screenshot(opened, 'redirected');
      const first = page.url();
      await page.goto(successUrl.replace('/thanks', '/'));
      await page.click('#pay');
      await page.waitForURL(first);

      const id = first.replace(/.*\//, '');
      for (const action of ['pay', 'confirm']) {
        const answer = await fetch(`${service.url}/v1/transactions/${id}/simulate`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secrets.keys?.sk_test}`, 'content-type': 'application/json' },
          body: JSON.stringify({ action }),
        });
        expect(answer.status).toBe(200);
      }
      await page.reload();
      referrers.length = 0;
      await page.click('#back');
      await page.waitForURL(successUrl);
      expect(referrers).toEqual([undefined]);

      const response = await page.goto(link);
      expect(response?.status()).toBe(409);
      expect(await page.textContent('h1')).toBe('Already paid');
      expect(await page.textContent('main')).toContain('This payment link has been paid, and nothing more is due.');
      expect(await page.textContent('dl')).toContain('Hochzeitstorte');
      await screenshot(opened, 'already-paid');
      expect(troubles.filter((trouble) => !trouble.includes('409'))).toEqual([]);
      await opened.close();
    });

    test('an image on another site opens no payment, and a click there does', async () => {
      const opened = await browser.open(PHONE);
      const { page } = opened;
      link = payAddress({ amount: '31' });
      await page.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`);
      const payments = async () => (await database.db.selectFrom('transaction').select('id').execute()).length;
      const before = await payments();
      await page.evaluate(`new Promise((settled) => {
        const image = new Image();
        image.onload = image.onerror = () => settled();
        image.src = document.querySelector('#pay').href;
      })`);
      expect(await payments()).toBe(before);
      await page.click('#pay');
      await page.waitForURL(`${service.url}/transaction/txn_*`);
      expect(await payments()).toBe(before + 1);
      await opened.close();
    });

    test.each([
      ['expired', { link: 'over' }, 410, 'This payment link has expired'],
      ['wrong-key', { pk: 'sk_live_exposed' }, 401, 'This checkout cannot be opened'],
      ['wrong-amount', { amount: '0.50' }, 400, 'This amount cannot be paid'],
      ['wrong-coin', { crypto: 'XMR' }, 400, 'You cannot pay with this coin here'],
    ] as const)(
      'the page "%s" fits a phone, has one heading and sends no request to third parties',
      async (name, wrong, status, heading) => {
        if (name === 'expired') await addLink({ slug: 'over', expiresAt: systemClock.now() + 1_000 }).then(passes);
        const opened = await browser.open({ ...PHONE, javaScriptEnabled: false });
        const { page, requests, troubles } = opened;
        for (const colorScheme of level.pick({ quick: ['light'] as const, full: ['light', 'dark'] as const })) {
          await page.emulateMedia({ colorScheme });
          const response = await page.goto(payAddress(wrong));
          expect(response?.status()).toBe(status);
          expect(await page.title()).toMatch(new RegExp(`^${heading}( · Bäckerei Ähre)?$`));
          expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual([heading]);
          expect(await page.getByRole('main').count()).toBe(1);
          expect(await horizontalOverflow(page)).toBe(0);
          expect(requests.filter((url) => !url.startsWith(service.url))).toEqual([]);
          // The browser logs the status of the page itself.
          expect(troubles.filter((trouble) => !trouble.includes(`status of ${status}`))).toEqual([]);
          await screenshot(opened, `${name}-${colorScheme}`);
        }
        await opened.close();
      },
    );
  });
});

// Helpers

/** Waits until a link that expires at once has expired. */
async function passes({ expiresAt }: PaymentLink): Promise<void> {
  await expect.poll(() => systemClock.now() >= (expiresAt ?? 0)).toBe(true);
}

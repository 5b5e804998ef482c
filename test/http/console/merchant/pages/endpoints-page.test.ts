import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { seriousViolations } from '../../../../support/browser/axe.ts';
import { chooseMore } from '../../../../support/browser/browser.ts';
import { OK, type Receiver, startReceiver } from '../../../../support/outside/receiver.ts';
import { POLLING } from '../../../../support/polling.ts';
import { level } from '../../../../support/run/level.ts';
import { type ConsolePages, describeConsolePages } from '../../support/describe-console.ts';
import { picture } from './pages.ts';

/** More than fit in one batch, so that the replay continues only as attempts are answered. */
const EVENTS_OF_A_LONG_REPLAY = 120;
const HOSTILE = `<img src=x onerror="document.title='taken over'"><script>document.title='taken over'</script>`;

describeConsolePages('the webhook pages', {}, (console) => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  }, 120_000);
  afterAll(async () => {
    vi.unstubAllEnvs();
    await receiver?.close();
  });
  beforeEach(() => receiver.usually(OK));

  async function add(path: string, body: object = {}): Promise<string> {
    const response = await console.call('owner', {
      method: 'POST',
      path: '/merchant/webhooks',
      body: { url: `http://127.0.0.1:${receiver.port}${path}`, modes: ['live', 'test'], ...body },
    });
    expect([response.status, response.message]).toEqual([201, undefined]);
    return response.data.id;
  }
  /** Sends a test event whose first attempt was answered. */
  async function tested(endpointId: string): Promise<string> {
    const path = `/merchant/webhooks/${endpointId}/test`;
    const { data } = await console.call('owner', { method: 'POST', path, body: { event: 'payment.completed' } });
    await expect
      .poll(async () => {
        const response = await console.call('owner', { path: `/merchant/webhooks/deliveries/${data.deliveryId}` });
        return response.data.attempts.length;
      }, POLLING)
      .toBe(1);
    return data.deliveryId;
  }

  test('an owner adds an endpoint, tests it, sees it fail, and resends', async () => {
    const watched = await console.open('owner', '/webhooks');
    const { page } = watched;
    await page.getByText('No endpoints yet').waitFor();
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByLabel('Address').fill('http://10.0.0.1/hooks');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByText('which is not a public address').waitFor();
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByLabel('Name').fill('Web shop');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const shown = page.getByRole('dialog', { name: 'The signing secret' });
    const secret = (await shown.locator('.once-value').textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    receiver.trust(secret);
    await shown.getByText('How to verify the signature').click();
    const forNode = (await shown.locator('.snippet-text').textContent()) ?? '';
    await shown.getByRole('tab', { name: 'PHP' }).click();
    await shown.getByText('hash_hmac').waitFor();
    const forPhp = (await shown.locator('.snippet-text').textContent()) ?? '';
    expect(await seriousViolations(watched)).toEqual([]);
    await picture(page, 'secret-1440-light');
    await shown.getByLabel('I have stored it').check();
    await shown.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { level: 1, name: 'Web shop' }).waitFor();
    await page.getByText('not used yet').waitFor();

    await page.getByRole('button', { name: 'Send a test event' }).click();
    const test = page.getByRole('dialog', { name: 'Send a test event' });
    await test.getByRole('button', { name: 'Send test event' }).click();
    await test.getByText(/Your server accepted it: it responded 200/).waitFor();
    const [received] = receiver.requests;
    expect(received?.isServiceSignatureValid).toBe(true);
    vi.stubEnv('WEBHOOK_SECRET', secret);
    const { readEvent } = await import(`data:text/javascript,${encodeURIComponent(forNode)}`);
    const read = (body: string, mode: string) => () => readEvent(Buffer.from(body), received?.headers, mode);
    const sent = received?.body ?? '';
    expect(read(sent, 'live')()).toMatchObject({ event: 'payment.completed', mode: 'live' });
    expect(read(`${sent} `, 'live')).toThrow('wrong signature');
    expect(read(sent, 'test')).toThrow('wrong mode');
    expect(withoutComments(forPhp)).toBe(withoutComments(await readFile('docs/merchants/snippets/verify.php', 'utf8')));

    receiver.usually({ kind: 'status', status: 500, body: HOSTILE });
    await test.getByRole('button', { name: 'Send another' }).click();
    await test.getByText('Your server responded with an error (500)').waitFor();
    await test.getByText(/It is retried in/).waitFor();
    await test.getByRole('button', { name: 'View request and response' }).click();

    const delivery = page.getByRole('dialog', { name: 'Delivery' });
    await delivery.getByText('retrying').waitFor();
    await page.waitForURL(/\?delivery=dlv_/);
    await delivery.getByText(HOSTILE).waitFor();
    expect(await page.title()).not.toContain('taken over');
    expect(await delivery.locator('img').count()).toBe(0);
    expect(await seriousViolations(watched)).toEqual([]);
    await picture(page, 'delivery-1440-light');

    receiver.usually(OK);
    await delivery.getByRole('button', { name: 'Try now' }).click();
    await delivery.getByText('delivered', { exact: true }).waitFor();
    await delivery.getByText('Attempts (2)').waitFor();
    await delivery.getByRole('tab', { name: 'What is sent' }).click();
    const body = receiver.requests.at(-1)?.body ?? '';
    await expect.poll(() => delivery.locator('.snippet-text').allTextContents(), POLLING).toEqual([body]);
    await picture(page, 'content-1440-light');
    await delivery.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => receiver.requests.filter((request) => request.body === body).length, POLLING).toBe(3);
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.search === '');
    await page.getByText('works', { exact: true }).waitFor();
    expect(watched.troubles).toEqual([
      // The rejected URL.
      'console: Failed to load resource: the server responded with a status of 400 (Bad Request): /console/api/merchant/webhooks',
    ]);
    await watched.close();
  });

  test('an owner disables an endpoint, enables it, and replays what it missed', async () => {
    const id = await add('/missed', { events: ['payment.created'] });
    const watched = await console.open('owner', `/webhooks/${id}`);
    const { page } = watched;
    await chooseMore(page, 'Disable…');
    await page.getByRole('button', { name: 'Disable endpoint' }).click();
    await page.getByText('It has missed no events.').waitFor();
    for (let made = 0; made < 2; made += 1) {
      const body = { crypto: 'LTC', amount: 25, currency_fiat: 'EUR' };
      expect((await console.api({ method: 'POST', path: '/transactions/create', body })).status).toBe(201);
    }
    await expect
      .poll(async () => (await console.call('owner', { path: `/merchant/webhooks/${id}` })).data.counts.held, POLLING)
      .toBe(2);
    await page.reload();
    await page.getByText('It has missed 2 events').waitFor();
    expect(await page.getByRole('button', { name: 'Send a test event' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Enable it' }).click();
    await page.getByRole('button', { name: 'Replay missed events…' }).click();
    await page.getByRole('button', { name: 'Replay 2 events' }).click();
    await page.getByText(/2 events sent/).waitFor();
    await expect.poll(() => receiver.requests.filter(({ path }) => path === '/missed').length, POLLING).toBe(2);
    await page.getByRole('link', { name: 'payment.created' }).first().waitFor();
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('staff tell deliveries apart by their payment, and retry all that wait', async () => {
    const id = await add('/apart', { events: ['payment.created'] });
    receiver.usually({ kind: 'status', status: 503 });
    const create = async (path: string, body: object): Promise<string> =>
      (await console.api({ method: 'POST', path, body })).data.transaction_id;
    const items = [{ name: 'Tea', price: 25 }];
    await create('/transactions/create-detailed', { crypto: 'LTC', items, order_id: 'order-1001' });
    const plain = await create('/transactions/create', { crypto: 'LTC', amount: 25 });
    await expect
      .poll(
        async () => (await console.call('owner', { path: `/merchant/webhooks/${id}` })).data.counts.waiting,
        POLLING,
      )
      .toBe(2);
    const watched = await console.open('staff', `/webhooks/${id}`, { viewport: { width: 768, height: 1024 } });
    const { page } = watched;
    await page.getByRole('row', { name: /order-1001/ }).waitFor();
    await page.getByRole('row', { name: new RegExp(`${plain.slice(-6)}.*503`) }).waitFor();
    await page.getByText(/Failing for \d+ .*\. No event has been accepted since\./).waitFor();
    await picture(page, 'deliveries-768-light');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('order-1001').waitFor();
    await picture(page, 'deliveries-390-light');
    receiver.usually(OK);
    await page.getByText('2 deliveries wait for the next attempt.').waitFor();
    await page.getByRole('button', { name: 'Retry all now' }).click();
    await page.getByText('2 deliveries retried now.').waitFor();
    await expect.poll(() => page.locator('td .badge', { hasText: 'delivered' }).count(), POLLING).toBe(2);
    await page.getByRole('button', { name: 'Retry all now' }).waitFor({ state: 'detached' });
    await watched.close();
  });

  // At the quick level test/webhooks/log/replay.test.ts covers this, without the page.
  if (level.isFull) {
    test('an owner watches a long replay, and stops it', async () => {
      const id = await add('/long', { events: ['payment.completed'] });
      await raiseEvents(console, EVENTS_OF_A_LONG_REPLAY);
      receiver.usually({ kind: 'hang' });
      const watched = await console.open('owner', `/webhooks/${id}`);
      const { page } = watched;
      await page.getByRole('button', { name: 'Replay missed events…' }).click();
      await picture(page, 'plan-1440-light');
      await page.getByRole('button', { name: `Replay ${EVENTS_OF_A_LONG_REPLAY} events` }).click();
      await page.getByRole('progressbar', { name: 'Events checked' }).waitFor();
      expect(await page.getByRole('button', { name: 'Replay missed events…' }).isDisabled()).toBe(true);
      await expect.poll(() => receiver.requests.some(({ path }) => path === '/long'), POLLING).toBe(true);
      await picture(page, 'replay-1440-light');
      await page.getByRole('button', { name: 'Stop replay' }).click();
      await page.getByText('Replay stopped').waitFor();
      receiver.usually(OK);
      receiver.release();
      const { data } = await console.call('owner', { path: `/merchant/webhooks/${id}` });
      expect(data.replay.state).toBe('cancelled');
      expect(data.replay.eventsSent).toBeLessThan(EVENTS_OF_A_LONG_REPLAY);
      await watched.close();
    });
  }

  test('an owner changes an endpoint, rotates its secret, filters its log, and deletes it', async () => {
    const id = await add('/changed');
    await tested(id);
    receiver.usually({ kind: 'status', status: 503 });
    await tested(id);
    const watched = await console.open('owner', `/webhooks/${id}`);
    const { page } = watched;
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByLabel('Name').fill('Till');
    await page.getByText('Events: everything a shop needs').click();
    await page.getByLabel('payment.created').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Till' }).waitFor();
    await chooseMore(page, 'New secret…');
    await page.getByRole('button', { name: 'Generate a new secret' }).click();
    const secret = (await page.locator('.once-value').textContent()) ?? '';
    await page.getByLabel('I have stored it').check();
    await page.getByRole('button', { name: 'Done' }).click();

    await chooseMore(page, 'Rotate with overlap…');
    await page.getByLabel('The previous secret also signs for').selectOption('6 hours');
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    const rotated = (await page.locator('.once-value').textContent()) ?? '';
    expect([rotated.slice(0, 6), rotated === secret]).toEqual(['whsec_', false]);
    await page.getByLabel('I have stored it').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Previous secret signs until').waitFor();
    receiver.trust(rotated);
    receiver.usually(OK);

    await page.getByLabel('State').selectOption('retrying');
    await page.waitForURL(/state=waiting/);
    await expect.poll(() => page.getByRole('row').count(), POLLING).toBe(2);
    await page.getByLabel('Event').selectOption('payment.expired');
    await page.getByText('Nothing matches').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'payment.completed' }).click();
    await page.getByRole('button', { name: 'Try now' }).click();
    await expect.poll(() => receiver.requests.at(-1)?.isServiceSignatureValid, POLLING).toBe(true);
    await page.keyboard.press('Escape');

    await chooseMore(page, 'Delete…');
    await page.getByRole('button', { name: 'Delete endpoint' }).click();
    await page.waitForURL(`${console.url}/console/webhooks`);
    await expect.poll(() => page.getByText('/changed').count(), POLLING).toBe(0);
    await page.goBack();
    await page.getByText(`There is no webhook endpoint ${id}`).waitFor();
    await page.getByRole('link', { name: 'All endpoints' }).click();
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    expect(new Set(watched.troubles)).toEqual(
      new Set([
        `console: Failed to load resource: the server responded with a status of 404 (Not Found): /console/api/merchant/webhooks/${id}`,
      ]),
    );
    await watched.close();
  });
});

// Helpers

/** Events that were never sent, as after a long outage. */
async function raiseEvents({ db, merchantId }: ConsolePages, count: number): Promise<void> {
  await sql`
    insert into webhook_event (id, merchant_id, event, mode, body, created_at)
    select 'evt_' || lpad(number::text, 26, '0'), ${merchantId}, 'payment.completed', 'live', '{}', now() - interval '1 minute'
    from generate_series(1, ${count}::int4) as series (number)`.execute(db);
}

/** The program's code without comments, logging and storage. */
function withoutComments(program: string): string {
  return program
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|error_log)/.test(line) && line.trim() !== '')
    .join('\n');
}

import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { insertDeadLetters } from '../../../../src/platform/engine/index.ts';
import { seriousViolations } from '../../../support/browser/axe.ts';
import { type TestBrowser, type WatchedPage } from '../../../support/browser/browser.ts';
import { POLLING } from '../../../support/polling.ts';
import { level } from '../../../support/run/level.ts';
import type { Who } from '../support/console.ts';
import { type ConsolePages, describeConsolePages } from '../support/describe-console.ts';

/** Folder for screenshots of the pages; none when unset. */
const PICTURES = process.env.TEST_PICTURES;

describeConsolePages('the operator pages', { env: { PLANS: 'on' } }, (console) => {
  let paymentId: string;
  const opened: WatchedPage[] = [];
  beforeAll(async () => {
    paymentId = await pay(console);
    await insertDeadLetters(console.db, [
      letterTo('txn_one', 'no such actor'),
      letterTo('txn_two', 'the chart broke on it'),
    ]);
  }, 180_000);
  afterEach(async () => {
    for (const watched of opened.splice(0)) {
      expect(watched.troubles).toEqual([]);
      await watched.close();
    }
  });

  const open = async (who: Who, path: string, options: Parameters<TestBrowser['open']>[0] = {}) => {
    const watched = await console.open(who, path, options);
    opened.push(watched);
    return watched.page;
  };
  const eventually = (check: () => Promise<void>) => vi.waitFor(check, POLLING);

  test('an operator finds a merchant, gives it a plan, and finds this in the operator actions', async () => {
    const page = await open('operator', '/merchants');
    await page.getByLabel('Search').fill('neighbour');
    await page.getByLabel('Search').press('Enter');
    await page.waitForURL(/search=neighbour/);
    await eventually(async () => expect(await page.locator('[data-row]').count()).toBe(1));
    await page.locator('[data-row="0"]').getByRole('link').click();
    await page.getByRole('heading', { name: 'Users' }).waitFor();
    await page.getByRole('button', { name: 'Change plan' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Plan', { exact: true }).selectOption('enterprise');
    expect(await dialog.getByRole('button', { name: 'Assign plan' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('A partner of ours');
    await dialog.getByRole('button', { name: 'Assign plan' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('dd').getByText('enterprise').waitFor();
    await page.getByRole('link', { name: 'Operator log' }).click();
    await page.getByRole('cell', { name: 'Assigned a plan to a merchant A partner of ours', exact: true }).waitFor();
    await page
      .locator('[data-row="0"]')
      .getByRole('link', { name: /^mer_.+…/ })
      .click();
    await page.waitForURL(`${console.url}/console/merchants/${console.neighbour.merchantId}`);
    await page.getByRole('link', { name: 'Show its payments' }).click();
    await page.getByText(`of ${console.neighbour.merchantId}`).waitFor();
  });

  // At the quick level test/http/console/operator/merchants.test.ts covers this, without the page.
  if (level.isFull) {
    test('an operator approves a merchant that signed up, and finds this in the operator actions', async () => {
      const { merchantId } = console.neighbour;
      await console.db
        .updateTable('merchant')
        .set({ approval_pending_since: new Date() })
        .where('id', '=', merchantId)
        .execute();
      const page = await open('operator', '/merchants');
      await page.locator('[data-row]').filter({ hasText: 'not approved' }).getByRole('link').click();
      await page.getByRole('button', { name: 'Approve' }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByRole('button', { name: 'Approve merchant' }).isDisabled()).toBe(true);
      await dialog.getByLabel('Reason').fill('Known to us');
      await takePicture(page, 'approve');
      await dialog.getByRole('button', { name: 'Approve merchant' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.locator('dd').getByText('approved', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
      await page.getByRole('link', { name: 'Operator log' }).click();
      await page.getByRole('cell', { name: 'Approved a merchant Known to us', exact: true }).waitFor();
    });
  }

  test('an operator changes a plan, sending only the changed fields', async () => {
    const page = await open('operator', '/plans');
    await page.getByRole('button', { name: 'Change business' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('USD a month').fill('31.50');
    await takePicture(page, 'change-plan');
    await dialog.getByLabel('Webhook endpoints').fill('');
    await dialog.getByLabel('Reason').fill('Prices of next year');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await dialog.getByRole('button', { name: 'Change for all merchants on this plan' }).click();
    expect((await sent).postDataJSON()).toEqual({
      monthlyPriceUsd: '31.50',
      webhookLimit: null,
      reason: 'Prices of next year',
      requestId: expect.any(String),
    });
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('31.50 USD').waitFor();
  });

  test('all dead letters are retried by a run that is planned first', async () => {
    const page = await open('operator', '/dead-letters');
    await page.getByRole('cell', { name: 'no such actor', exact: true }).waitFor();
    await page.getByLabel('Error').fill('chart BROKE');
    await page.getByLabel('Error').press('Enter');
    await eventually(async () => expect(await page.locator('[data-row]').count()).toBe(1));
    await page.getByRole('button', { name: 'Retry all', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('all 2 open dead letters').waitFor();
    await dialog.getByLabel('Reason').fill('The mail server is back');
    await dialog.getByRole('button', { name: 'Plan run' }).click();
    await page.getByRole('heading', { name: 'Bulk runs' }).waitFor();
    await page.getByText('All open dead letters').waitFor();
    expect((await console.call('observer', { path: '/runs' })).data[0]).toMatchObject({ state: 'planned', total: 2 });
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('done', { exact: true }).waitFor();
    const { actions } = (await console.call('observer', { path: '/actions' })).data;
    expect(actions.slice(0, 2)).toMatchObject([
      { what: 'run.started', reason: 'The mail server is back', details: { total: 2 } },
      { what: 'dead_letters.retry_planned', reason: 'The mail server is back', outcome: 'planned' },
    ]);
  });

  test('the journal of a payment whose clock was moved has its times by that clock', async () => {
    const id = await pay(console);
    await console.api({ method: 'POST', path: `/transactions/${id}/simulate`, body: { action: 'pay_late' } });
    const page = await open('observer', `/actors/${id}?tab=event`);
    await page.locator('.timeline-about').first().waitFor();
    expect(await page.locator('[data-sequence="1"] .timeline-about').innerText()).toMatch(/\d min ago$/);
    const at = page.getByRole('tabpanel').locator('time').first();
    expect(await at.innerText()).toMatch(/\((now|\d+ (s|min|h) ago)\)$/);
  });

  test('an exported journal is viewed from its file, step by step', async () => {
    const { data: file } = await console.call('observer', { path: `/actors/${paymentId}/export` });
    const page = await open('observer', '/journal-file');
    const choose = (text: string) =>
      page
        .getByLabel('Choose a file')
        .setInputFiles({ name: 'a.journal.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await choose('{ no json');
    await page.getByText('is not JSON').waitFor();
    await choose(JSON.stringify(file));
    await page.getByText('consistent with its state').waitFor();
    await page.getByText(paymentId, { exact: true }).waitFor();
    await page.locator('.chart-state.is-live').first().waitFor();
    const steps = file.entries.length;
    await page.getByText(`${steps}/${steps}`).waitFor();
    await page.getByRole('tab', { name: 'Context' }).click();
    await page.getByText('merchantId').first().waitFor();
    await takePicture(page, 'journal-opened');
    await page.getByRole('button', { name: 'Another file' }).click();
    await choose(JSON.stringify({ ...file, rests: { ...file.rests, state: 'completed' } }));
    await page.getByText('differs from its state').waitFor();
  });

  test('a frequent view is saved under a name, renamed and deleted', async () => {
    const page = await open('observer', '/actors?kind=transaction&late=1');
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Late payments');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    const views = page.getByRole('navigation', { name: 'Saved views' });
    expect(await views.getByRole('link', { name: 'Late payments' }).getAttribute('aria-current')).toBe('page');
    await page.getByLabel('Kind').selectOption('delivery');
    await page.waitForURL(/kind=delivery/);
    await page.reload();
    await views.getByRole('link', { name: 'Late payments' }).click();
    await page.waitForURL(/kind=transaction&late=1$/);
    await takePicture(page, 'saved-views');
    await page.getByRole('button', { name: 'Edit views' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of Late payments').fill('Overdue');
    await dialog.getByLabel('Name of Late payments').press('Enter');
    await dialog.getByRole('button', { name: 'Delete the view Overdue' }).waitFor();
    await dialog.getByRole('button', { name: 'Delete the view Overdue' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await views.getByRole('link').count()).toBe(0);
  });

  // At the quick level test/accounts/users.test.ts covers this, without the page.
  if (level.isFull) {
    test('an operator invites users of the service, and none of a merchant', async () => {
      const page = await open('operator', '/users');
      await page.getByRole('button', { name: 'Invite a user' }).click();
      const dialog = page.getByRole('dialog');
      const role = dialog.getByLabel('Role');
      await role.waitFor();
      expect((await role.locator('option').allTextContents()).sort()).toEqual(['Observer', 'Operator']);
      await dialog.getByLabel('Email').fill('new-observer@service.example');
      await role.selectOption('observer');
      await dialog.getByRole('button', { name: 'Send invitation' }).click();
      // No mail server is connected here, so the operator is shown the link to pass on.
      const share = page.getByRole('dialog', { name: 'Share this link' });
      expect(await share.locator('code').innerText()).toMatch(/\/console\/password-reset#[\w-]{43}$/);
      await share.getByRole('button', { name: 'Done' }).click();
      await dialog.waitFor({ state: 'detached' });
      const { data } = await console.call('operator', { path: '/users' });
      expect(data).toContainEqual(
        expect.objectContaining({ email: 'new-observer@service.example', role: 'observer', isInvited: true }),
      );
    });
  }

  test('a merchant follows the events of its own payments', async () => {
    const watched = await console.open('owner', '/');
    const { page } = watched;
    await page.getByTitle('pages update automatically').waitFor();
    const change = page.evaluate(FIRST_CHANGE);
    await eventually(async () => expect(await page.evaluate('globalThis.isFollowing')).toBe(true));
    const id = await pay(console);
    expect(await change).toMatchObject({ kind: 'transaction', actorId: id, sequence: 1 });
    await watched.close();
  });

  test('an observer sees how many actors took each way of a chart, and counts them by version', async () => {
    const id = await pay(console);
    const paid = await console.api({ method: 'POST', path: `/transactions/${id}/simulate`, body: { action: 'pay' } });
    expect(paid.status).toBe(200);
    const page = await open('observer', '/charts/transaction');
    await page.getByRole('link', { name: 'Transaction', exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'State changes' }).count()).toBe(0);
    await page.getByText('24 h', { exact: true }).click();
    await page.waitForURL(/span=day/);
    const changes = page.getByRole('region', { name: 'State changes' });
    await changes
      .getByRole('row')
      .filter({ hasText: /open\.awaitingPayment\s*→ confirming/ })
      .first()
      .waitFor();
    await changes
      .getByRole('row')
      .filter({ hasText: /started\s*→ open\.awaitingPayment/ })
      .waitFor();
    const arrow = page.locator('[data-arrow="open.awaitingPayment>confirming"]');
    expect(await arrow.getAttribute('aria-label')).toMatch(/, \d+ in this period$/);
    expect(await page.locator('.chart-flow').count()).toBeGreaterThan(0);
    expect(await seriousViolations({ page } as WatchedPage)).toEqual([]);
    await page.getByRole('button', { name: 'Count actors by version' }).click();
    const versions = page.getByRole('region', { name: 'Versions' });
    await versions.getByRole('row').filter({ hasText: 'current' }).waitFor();
    await page.getByText('Now', { exact: true }).click();
    await eventually(async () => expect(await page.locator('.chart-flow').count()).toBe(0));
  });
});

// Helpers

/** A dead letter that no retry can handle: its actor does not exist. */
function letterTo(actorId: string, reason: string) {
  const data = { actorId, eventId: 'merchant:1', event: { type: 'merchant.paused' } };
  return { queue: 'engine', messageId: actorId, actorId, data, reason };
}

/** Creates a payment in test mode; returns its id. */
async function pay(console: ConsolePages): Promise<string> {
  const made = await console.api({ method: 'POST', path: '/transactions/create', body: { crypto: 'LTC', amount: 25 } });
  expect(made.status).toBe(201);
  return made.data.transaction_id;
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name.replace(/\W+/g, '-')}.png`, fullPage: true });
}

/** Reads the stream in the page, as the page itself does, until the first change. */
const FIRST_CHANGE = `(async () => {
  const response = await fetch('/console/api/merchant/live', { headers: { 'x-quittance-console': '1' } });
  globalThis.isFollowing = true;
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const [, data] = /^data: (.*actorId.*)$/m.exec(text) ?? [];
    if (data !== undefined) return JSON.parse(data);
  }
})()`;

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { REAL_CHARTS } from '../../scripts/charts/real-charts.ts';
import { picture } from '../http/console/merchant/pages/pages.ts';
import { type WatchedPage } from '../support/browser/browser.ts';
import { describePages } from '../support/browser/describe-pages.ts';
import { POLLING } from '../support/polling.ts';
import { showWithin } from '../support/within-console.ts';
import { LABELS_IN_FRAME, TOO_SMALL } from './chart-measures.ts';
import { openSignedIn, outside, signIn } from './console-app.ts';
import { ACTOR_ID, HEALTH, NOW, ROW_COUNT } from './fake-data.ts';
import { OPERATOR, PASSWORD, startWithCharts } from './fake-server.ts';

const ACTOR_PATH = `/actors/${encodeURIComponent(ACTOR_ID)}`;

describePages('the console', startWithCharts, (server, browser) => {
  const opened: WatchedPage[] = [];
  beforeEach(() => server.reset());
  afterEach(async () => {
    for (const watched of opened.splice(0)) {
      expect(watched.troubles.filter((trouble) => /Content Security Policy|exception/.test(trouble))).toEqual([]);
      expect(outside(watched, server)).toEqual([]);
      await watched.close();
    }
    expect(server.unmarked).toEqual([]);
  });

  const open = async (path: string, { isOwn = false } = {}) => {
    const watched = await openSignedIn(browser, server, path, { viewport: { width: 1440, height: 900 }, isOwn });
    opened.push(watched);
    return watched.page;
  };
  const eventually = (check: () => Promise<void>) => vi.waitFor(check, POLLING);

  test('redirects to sign-in and back to the original page, with the second factor in between', async () => {
    const watched = await browser.open();
    opened.push(watched);
    const { page } = watched;
    await page.goto(`${server.url}/console/actors?kind=delivery&failed=1`);
    await page.getByLabel('Email').fill(OPERATOR.email);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Email or password is wrong').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('code is wrong').waitFor();
    await page.getByLabel('Code').fill('123456');
    await page.getByLabel('Code').press('Enter');
    await page.getByRole('heading', { name: 'Actors' }).waitFor();
    expect(new URL(page.url()).search).toBe('?kind=delivery&failed=1');
  });

  test('redirects to no other site after sign-in, whatever the link contains', async () => {
    server.user = { ...OPERATOR, hasTotp: false };
    const watched = await browser.open();
    opened.push(watched);
    for (const from of ['https://evil.example/console/', '//evil.example/console/x', '/other', 'javascript:alert(1)']) {
      await watched.page.goto(`${server.url}/console/sign-in?from=${encodeURIComponent(from)}`);
      await signIn(watched, server);
      await watched.page.waitForURL(`${server.url}/console/health`);
    }
  });

  test('redirects to sign-in when the session has ended, and returns', async () => {
    const page = await open('/health');
    await page.getByText('litecoin', { exact: true }).waitFor();
    server.signOut();
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByLabel('Email').waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe('/console/users');
    await page.getByLabel('Email').fill(OPERATOR.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code').fill('123456');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Users' }).waitFor();
  });

  test('retries automatically while the server is not ready', async () => {
    const page = await open('/health', { isOwn: true });
    await page.getByText('litecoin', { exact: true }).waitFor();
    await page.clock.install();
    server.failNext(2);
    await page.getByRole('link', { name: 'Users' }).click();
    await eventually(async () => {
      await page.clock.fastForward(1_000);
      expect(await page.getByText('observer@example.com').count()).toBe(1);
    });
  });

  test('keeps the filter in the URL, and the back button reverts it', async () => {
    const page = await open('/actors?kind=transaction');
    await page.getByText(`200 of ${ROW_COUNT.toLocaleString('en')}`).waitFor();
    await page.getByLabel('State', { exact: true }).selectOption('open.partiallyPaid');
    await eventually(async () => expect(new URL(page.url()).searchParams.get('state')).toBe('open.partiallyPaid'));
    await eventually(async () => {
      const states = await page.locator('td .badge').allInnerTexts();
      expect(new Set(states.filter((state) => state.includes('.')))).toEqual(new Set(['open.partiallyPaid']));
    });
    await page.getByLabel('Has a dead letter').check();
    await eventually(async () => expect(new URL(page.url()).searchParams.get('failed')).toBe('1'));
    await page.goBack();
    await eventually(async () => expect(await page.getByLabel('Has a dead letter').isChecked()).toBe(false));
    await page.goBack();
    await eventually(async () => expect(await page.getByLabel('State', { exact: true }).inputValue()).toBe(''));
    await page.getByText(`200 of ${ROW_COUNT.toLocaleString('en')}`).waitFor();
  });

  test('can be used with the keyboard only: search, rows, opening, page navigation, help', async () => {
    const page = await open('/actors?kind=transaction');
    await page.locator('[data-row="0"]').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('transaction:000000');
    await page.keyboard.press('Enter');
    await eventually(async () => expect(new URL(page.url()).searchParams.get('search')).toBe('transaction:000000'));
    await page.getByText('200 of 255').waitFor();
    await page.keyboard.press('Tab');
    const focused = () => page.evaluate('document.activeElement.textContent');
    for (const expected of ['transaction:00000001', 'transaction:00000002']) {
      await page.keyboard.press('j');
      await eventually(async () => expect(await focused()).toBe(expected));
    }
    await page.keyboard.press('k');
    await eventually(async () => expect(await focused()).toBe('transaction:00000001'));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'transaction:00000001' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Go to Health').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByRole('heading', { name: 'Health' }).waitFor();
  });

  test('scrolls through thousands of rows with only the visible ones in the DOM', async () => {
    const page = await open('/actors?kind=transaction');
    await page.locator('[data-row="0"]').waitFor();
    await eventually(async () => {
      await page.evaluate(SCROLL_TO_END);
      expect(await page.locator(`[data-row="${ROW_COUNT - 1}"]`).count()).toBe(1);
    });
    expect(await page.locator(`[data-row="${ROW_COUNT - 1}"]`).innerText()).toContain(
      `transaction:${(ROW_COUNT - 1).toString(16).padStart(8, '0')}`,
    );
    expect(await page.locator('tbody tr').count()).toBeLessThan(100);
    await page.getByText(`${ROW_COUNT.toLocaleString('en')} of ${ROW_COUNT.toLocaleString('en')}`).waitFor();
  });

  test('fits each chart on the screen with texts of 11 px, and unfolds events and guards on request', async () => {
    const page = await open('/charts/delivery');
    for (const { kind } of REAL_CHARTS) {
      await showWithin(page, `/console/charts/${kind}`);
      await page.locator(`.chart-canvas[aria-label^="Statechart of ${kind},"]`).waitFor();
      expect(await page.evaluate(UNREADABLE), kind).toEqual([]);
      await picture(page, `fit-${kind}`);
    }
    await showWithin(page, '/console/charts/transaction');
    const [chart, table] = [page.locator('.chart-card'), page.locator('.population')];
    // Beside the chart.
    expect((await table.boundingBox())?.y).toBe((await chart.boundingBox())?.y);
    expect(await table.getByRole('link', { name: '36', exact: true }).getAttribute('href')).toBe(
      '/console/actors?kind=transaction&state=confirming&overdue=1',
    );
    expect(await page.locator('.chart-guard').count()).toBe(0);
    const [x = 0, y = 0] = (await page.evaluate(POINT_OF_ARROW)) as number[];
    await page.mouse.click(x, y);
    await page.getByText('fellShortInWindow').waitFor();
    await page.getByText('Events and guards', { exact: true }).click();
    await page.locator('.chart-guard').first().waitFor();
    expect(new URL(page.url()).search).toBe('?detail=events');
    // All of it would be too small to read.
    expect(await page.evaluate(TOO_SMALL)).toEqual([]);
    expect(await page.evaluate(LABELS_IN_FRAME)).toContain('open');
    await picture(page, 'unfolded-transaction');
  });

  test('moves through the history with the scrubber, and keeps the step in the URL', async () => {
    const page = await open(ACTOR_PATH);
    await page.getByText('Paid late. Waiting for the merchant’s decision.').first().waitFor();
    const scrubber = page.getByLabel('Journal step');
    await page.getByText('6/6').waitFor();
    await page.locator('.chart-state.is-live[data-node="state:expired.paidLate"]').waitFor();
    await scrubber.focus();
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowLeft');
    await page.getByText('Viewing step 2 of 6: open.partiallyPaid.').waitFor();
    await page.locator('.chart-state.is-live[data-node="state:open.partiallyPaid"]').waitFor();
    expect(await page.locator('[data-node="state:expired.paidLate"].is-live').count()).toBe(0);
    await page.getByText('0.25\u00a0LTC').first().waitFor();
    await page.getByText('25000000 base units').waitFor();
    expect(new URL(page.url()).searchParams.get('at')).toBe('2');
    await page.reload();
    await page.getByText('Viewing step 2 of 6: open.partiallyPaid.').waitFor();
    await page.keyboard.press(']');
    await page.getByText('Viewing step 3 of 6').waitFor();
    // What does not go back with the rest says so.
    await page.getByText('Now: expired.paidLate').waitFor();
    await page.getByRole('heading', { name: 'Timers now' }).waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByText('6/6').waitFor();
    await page.getByRole('heading', { name: 'Timers', exact: true }).waitFor();
    expect(await page.getByText(/Viewing step|Now:/).count()).toBe(0);
  });

  test('filters the journal by event, source and changes of state, and keeps the filter in the URL', async () => {
    const page = await open(ACTOR_PATH);
    const steps = () => page.locator('.timeline-step').count();
    await eventually(async () => expect(await steps()).toBe(6));
    await page.locator('.journal-filter').getByLabel('Source').selectOption('chain');
    expect(await steps()).toBe(4);
    await page.getByLabel('State changes only').check();
    expect(await steps()).toBe(2);
    expect(new URL(page.url()).search).toBe('?source=chain&moves=1');
    await page.reload();
    await eventually(async () => expect(await steps()).toBe(2));
    await page.locator('.journal-filter').getByLabel('Event').selectOption('chain.output_seen');
    expect(await steps()).toBe(2);
    // The drift of the stored row, path by path, and the webhooks of the step.
    await page.getByText('context / completedAt').waitFor();
    await page.getByRole('tab', { name: 'Webhooks 1' }).click();
    await page.getByRole('link', { name: 'payment.step_6' }).waitFor();
    await picture(page, 'actor-filtered');
  });

  test('sends an event only after a preview and with a reason, once', async () => {
    const page = await open(ACTOR_PATH);
    await page.getByRole('button', { name: 'Send an event' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nothing is sent yet.').waitFor();
    expect(await dialog.getByLabel('Reason').count()).toBe(0);
    expect(await dialog.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Event', { exact: true }).selectOption('merchant.marked_paid');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('payment.completed').first().waitFor();
    const send = dialog.getByRole('button', { name: 'Send event' });
    expect(await send.isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('The customer paid twice');
    await send.dblclick();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Sent. It is now in completed.').waitFor();
    expect(new Set(server.sent.map(({ requestId }) => requestId)).size).toBe(1);
    expect(server.sent[0]).toMatchObject({
      type: 'merchant.marked_paid',
      reason: 'The customer paid twice',
      seenSequence: 6,
    });
  });

  test('offers the effective events, all on request, and requires a new preview when the event changes', async () => {
    const page = await open(ACTOR_PATH);
    await page.getByRole('button', { name: 'Send an event' }).waitFor();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog');
    const choice = dialog.getByLabel('Event', { exact: true });
    const offered = () => choice.locator('option').allInnerTexts();
    await choice.waitFor();
    expect(await offered()).toEqual(['Choose an event…', 'Mark as paid', 'Dismiss the late coins']);
    await choice.selectOption('merchant.marked_paid');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Send event' }).waitFor();
    await dialog.getByLabel('Show all events').check();
    expect(await offered()).toContain('Pause the clock and put under review (only in open)');
    await choice.selectOption('chain.balance_dropped');
    await dialog.getByLabel('Missing amount').waitFor();
    expect(await dialog.getByRole('button', { name: 'Send event' }).count()).toBe(0);
    await dialog.getByLabel('Show all events').uncheck();
    expect(await offered()).toEqual(['Choose an event…', 'Mark as paid', 'Dismiss the late coins']);
    expect(await choice.inputValue()).toBe('');
  });

  test('plans a bulk run for no event until one is chosen, of those with an effect on the first actor', async () => {
    const page = await open('/runs?kind=transaction&state=open&stage=1');
    const dialog = page.getByRole('dialog');
    const choice = dialog.getByLabel('Event', { exact: true });
    await choice.waitFor();
    expect(await choice.inputValue()).toBe('');
    await dialog.getByLabel('Reason').fill('All of them were paid');
    const plan = dialog.getByRole('button', { name: /^Plan for/ });
    expect(await plan.isDisabled()).toBe(true);
    const withoutEffect = choice.locator('option', { hasText: 'Pause the clock and put under review (only in open)' });
    expect(await withoutEffect.isDisabled()).toBe(true);
    await choice.selectOption('merchant.marked_paid');
    expect(await plan.isDisabled()).toBe(false);
  });

  test('says nothing about checks of an installation without live payments, and refers to its setup', async () => {
    const page = await open('/account');
    const nothing = { issues: [], alerts: [], rates: [], chains: [], missing: ['merchant'] };
    const none = { deadLetters: { open: 0, oldestAt: null }, failingEndpoints: { merchants: 0, since: null } };
    await page.route('**/console/api/health', (route) =>
      route.fulfill({ json: { data: { ...HEALTH, ...nothing, ...none } } }),
    );
    await showWithin(page, '/console/health');
    await page.getByText('No live payments yet. Complete the setup below.').waitFor();
    expect(await page.getByText(/checked/i).count()).toBe(0);
  });

  test('says that an endpoint of a merchant works once it has received a webhook', async () => {
    const page = await open('/merchants/mer_4c1f9a27');
    const line = page.locator('.line', { hasText: 'hooks.shop.example whk_2' });
    await line.getByText('works', { exact: true }).waitFor();
  });

  test('shows when a dead letter is retried automatically, and on a phone its error in several lines', async () => {
    const page = await open('/dead-letters');
    // The hour began when the file was loaded.
    await page
      .getByRole('cell', { name: /^in [1-5]\d min 1 so far$/ })
      .first()
      .waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const heights = await page.evaluate(ERROR_HEIGHTS);
    expect(Math.min(...(heights as number[]))).toBeGreaterThan(40);
    expect(new Set((await page.evaluate(ROW_HEIGHTS)) as number[]).size).toBe(1);
  });

  test('lets an observer view everything and send nothing', async () => {
    server.user = { ...OPERATOR, role: 'observer' };
    const page = await open(ACTOR_PATH);
    await page.getByText('6/6').waitFor();
    expect(await page.getByRole('button', { name: 'Send an event' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Bulk runs' }).click();
    await page.getByText('The migration is through').waitFor();
    expect(await page.getByRole('button', { name: /^(Start|Cancel)$/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByText('owner@shop.example').waitFor();
    expect(await page.getByRole('button', { name: /Invite|Disable/ }).count()).toBe(0);
  });

  test('shows a merchant no operator page', async () => {
    server.user = { ...OPERATOR, role: 'staff', merchant: { id: 'mer_1', name: 'The Shop' } };
    const page = await open('/actors');
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
    expect(await page.getByText(/No such page|not found/).count()).toBe(1);
    const entries = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts();
    expect(entries).toContain('Payments');
    for (const name of ['Actors', 'Dead letters', 'Merchants', 'Plans', 'Users']) expect(entries).not.toContain(name);
  });

  test('follows the stream, resumes after its last event, and pauses on request', async () => {
    const page = await open(ACTOR_PATH);
    await page.getByText('6/6').waitFor();
    await eventually(async () => expect(server.liveResumedAfter).toEqual([undefined]));
    const requested = page.waitForRequest((request) =>
      request.url().endsWith(`${encodeURIComponent(ACTOR_ID)}/journal?after=0`),
    );
    server.push({ kind: 'transaction', actorId: ACTOR_ID, sequence: 7, state: 'completed', at: NOW });
    await requested;
    const askedAnew = page.waitForRequest((request) => request.url().endsWith('/console/api/me'));
    server.reload();
    await askedAnew;
    server.cutLive();
    await eventually(async () => expect(server.liveResumedAfter).toEqual([undefined, '1']));
    await page.getByRole('button', { name: /^Auto-refresh/ }).click();
    await page.getByTitle('pages do not update').waitFor();
  });

  test('sets up a second factor: password, QR code, one code, recovery codes', async () => {
    server.user = { ...OPERATOR, hasTotp: false, recoveryCodes: 0 };
    const page = await open('/account?tab=two-factor');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set up an app' }).click();
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    await page.getByText('JBSW Y3DP EHPK 3PXP').waitFor();
    await page.getByLabel('2. Code shown in the app').fill('123456');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('k7wq-0mzp-4xt0').waitFor();
    await page.getByRole('button', { name: 'I have stored them' }).click();
    await page.getByText('10 left').waitFor();
  });

  test('changes the password with both factors, and names the wrong one', async () => {
    const page = await open('/account?tab=password');
    await page.getByLabel('Current password').fill('wrong');
    await page.getByLabel('Code').fill('123456');
    await page.getByLabel('New password').fill('another quiet harbour');
    const submit = page.getByRole('button', { name: 'Change password' });
    await submit.click();
    await page.getByText('currentPassword is wrong').waitFor();
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('Code').fill('000000');
    await submit.click();
    await page.getByText('code is wrong').waitFor();
    await page.getByLabel('Code').fill('123456');
    await submit.click();
    await page.getByText('Password changed. Other sessions have been signed out.').waitFor();
  });

  test('navigates tabs with arrow keys, Home and End, and keeps the tab in the URL', async () => {
    const page = await open('/account');
    const tabs = page.getByRole('tab');
    const last = (await tabs.count()) - 1;
    await tabs.first().focus();
    for (const [key, index] of [
      ['ArrowRight', 1],
      ['ArrowLeft', 0],
      ['ArrowLeft', last],
      ['Home', 0],
      ['End', last],
      ['ArrowRight', 0],
    ] as const) {
      await page.keyboard.press(key);
      const tab = tabs.nth(index);
      await eventually(async () => expect(await tab.getAttribute('aria-selected')).toBe('true'));
      expect(await page.evaluate('document.activeElement.textContent')).toBe(await tab.innerText());
    }
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/tab=password/);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.role')).toBe('tabpanel');
  });

  test('names the browser of a session in words, with its user agent as tooltip', async () => {
    const page = await open('/account?tab=sessions');
    expect(await page.getByTitle(/^Mozilla.*Firefox\/140\.0$/).innerText()).toBe('Firefox on Linux');
    await page.getByText('Unknown browser').waitFor();
  });

  test('keeps light or dark across a reload', async () => {
    const page = await open('/health');
    await page.getByRole('button', { name: /^Colours/ }).click();
    await page.getByRole('button', { name: 'Colours: light' }).click();
    await page.getByRole('button', { name: 'Colours: dark' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Colours: dark' }).waitFor();
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(13, 18, 16)');
  });
});

// Helpers

/** Runs in the page: what of the chart is off the screen, or smaller than 11 px on it. */
const UNREADABLE = `(() => {
  const chart = document.querySelector('.chart-canvas');
  const frame = chart.getBoundingClientRect();
  const scale = chart.getScreenCTM().a;
  const small = [...chart.querySelectorAll('text')].filter((text) => parseFloat(getComputedStyle(text).fontSize) * scale < 11);
  const outside = [...chart.querySelectorAll('.chart-glass')].filter((node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return left < frame.left - 1 || top < frame.top - 1 || right > frame.right + 1 || bottom > Math.min(frame.bottom, innerHeight) + 1;
  });
  return [...small.map((text) => text.textContent), ...outside.map((node) => node.getAttribute('aria-label'))];
})()`;
/** Runs in the page: a point near the beginning of the arrow from confirming to open. */
const POINT_OF_ARROW = `(() => {
  const arrow = document.querySelector('[data-arrow="confirming>open"]');
  const { x, y } = arrow.getPointAtLength(12).matrixTransform(arrow.getScreenCTM());
  return [x, y];
})()`;
const ERROR_HEIGHTS = '[...document.querySelectorAll(".dead-letter-error")].map((part) => part.offsetHeight)';
const ROW_HEIGHTS = '[...document.querySelectorAll("[data-row]")].map((row) => row.offsetHeight)';
const SCROLL_TO_END = 'document.querySelector(".table-frame").scrollTop = 1e9';

import type { BrowserContextOptions } from 'playwright-core';
import { loadAxe } from '../../support/axe.ts';
import type { TestBrowser, WatchedPage } from '../../support/browser.ts';
import { CODE, type FakeServer, PASSWORD } from './fake-server.ts';

/** Opens the console and signs in, the way a person does. */
export async function openSignedIn(
  browser: TestBrowser,
  server: FakeServer,
  path: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const watched = await browser.open(options);
  await watched.page.goto(`${server.url}/console/sign-in?from=${encodeURIComponent(`/console${path}`)}`);
  await signIn(watched, server);
  return watched;
}

export async function signIn({ page }: WatchedPage, { user }: FakeServer): Promise<void> {
  await page.getByLabel('E-mail').fill(user.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  if (user.hasTotp) {
    await page.getByLabel('Code').fill(CODE);
    await page.getByRole('button', { name: 'Continue' }).click();
  }
  await page.locator('.shell').waitFor();
}

/** What axe-core calls serious or worse on the page as it is, each with the elements it means. */
export async function seriousViolations({ page }: WatchedPage): Promise<unknown> {
  await loadAxe(page);
  return page.evaluate(`(async () => {
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      // Glyphs of a chart, like 1:1 on a button, are drawn signs and no words; their names say more.
      .map(({ id, nodes }) => ({ id, nodes: nodes.filter(({ target }) => id !== 'label-content-name-mismatch' || !document.querySelector(target[0])?.closest('.chart-figure')) }))
      .filter(({ nodes }) => nodes.length > 0)
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html.slice(0, 160) + ' ' + failureSummary).join(' | '));
  })()`);
}

/** Requests that went anywhere but to the server. */
export function outside({ requests }: WatchedPage, { url }: FakeServer): readonly string[] {
  return requests.filter((one) => !one.startsWith(url) && !one.startsWith('data:') && !one.startsWith('blob:'));
}

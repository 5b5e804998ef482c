import type { OpenOptions, TestBrowser, WatchedPage } from '../support/browser/browser.ts';
import { CODE, type FakeServer, PASSWORD } from './fake-server.ts';

/** Opens a page of the console, signed in. */
export async function openSignedIn(
  browser: TestBrowser,
  server: FakeServer,
  path: string,
  options: OpenOptions = {},
): Promise<WatchedPage> {
  server.signIn();
  // Clicks and axe wait until animations end.
  const watched = await browser.open({ reducedMotion: 'reduce', ...options });
  await watched.page.goto(`${server.url}/console${path}`);
  await watched.page.locator('.shell').waitFor();
  return watched;
}

/** Signs in through the form. */
export async function signIn({ page }: WatchedPage, { user }: FakeServer): Promise<void> {
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  if (user.hasTotp) {
    await page.getByLabel('Code').fill(CODE);
    await page.getByRole('button', { name: 'Continue' }).click();
  }
  await page.locator('.shell').waitFor();
}

/** Requests to any other host than the server. */
export function outside({ requests }: WatchedPage, { url }: FakeServer): readonly string[] {
  return requests.filter((one) => !one.startsWith(url) && !one.startsWith('data:') && !one.startsWith('blob:'));
}

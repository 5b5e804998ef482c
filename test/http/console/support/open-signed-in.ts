import type { OpenOptions, TestBrowser, WatchedPage } from '../../../support/browser/browser.ts';
import type { TestConsole, Who } from './console.ts';

/** Opens a page of the console with the session of a user. `path` is below `/console`. */
export async function openSignedIn(
  console: TestConsole,
  browser: TestBrowser,
  who: Who,
  path: string,
  options: OpenOptions = {},
): Promise<WatchedPage> {
  const [name = '', value = ''] = (await console.cookieOf(who)).split('=');
  const watched = await browser.open({
    viewport: { width: 1440, height: 900 },
    // Clicks and axe wait until animations end.
    reducedMotion: 'reduce',
    storageState: { cookies: [{ name, value, ...COOKIE }], origins: [] },
    ...options,
  });
  await watched.page.goto(`${console.url}/console${path}`);
  await watched.page.locator('.shell').waitFor();
  return watched;
}

// Helpers

const COOKIE = {
  domain: '127.0.0.1',
  path: '/',
  expires: -1,
  httpOnly: true,
  secure: false,
  sameSite: 'Lax',
} as const;

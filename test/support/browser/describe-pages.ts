import { afterAll, beforeAll } from 'vitest';
import { whenStarted } from '../when-started.ts';
import { describeBrowser, startBrowser, type TestBrowser } from './browser.ts';

/** `describe` with a server and a browser, which are available inside tests and hooks only. */
export function describePages<Server extends { stop(): Promise<void> }>(
  name: string,
  start: () => Promise<Server>,
  body: (server: Server, browser: TestBrowser) => void,
): void {
  describeBrowser(name, () => {
    let server: Server | undefined;
    let browser: TestBrowser | undefined;
    beforeAll(async () => {
      [server, browser] = await Promise.all([start(), startBrowser()]);
    }, START_MS);
    afterAll(async () => {
      await browser?.close();
      await server?.stop();
    });
    body(
      whenStarted('server', () => server),
      whenStarted('browser', () => browser),
    );
  });
}

// Helpers

/** The first test of a run may have to compute the layouts of the charts. */
const START_MS = 180_000;

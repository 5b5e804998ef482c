import { afterAll, beforeAll } from 'vitest';
import {
  describeBrowser,
  type OpenOptions,
  startBrowser,
  type TestBrowser,
  type WatchedPage,
} from '../../../support/browser/browser.ts';
import { describePostgres } from '../../../support/database/test-database.ts';
import { whenStarted } from '../../../support/when-started.ts';
import { type ConsoleSetup, startConsole, type TestConsole, type Who } from './console.ts';
import { openSignedIn } from './open-signed-in.ts';

/** A console with a browser to open its pages in. */
export interface ConsolePages extends TestConsole {
  readonly browser: TestBrowser;
  /** Opens a page of the console, signed in. `path` is below `/console`. */
  open(who: Who, path: string, options?: OpenOptions): Promise<WatchedPage>;
}

/** `describe` with a console, which is available inside tests and hooks only. */
export function describeConsole(
  name: string,
  setup: ConsoleSetup,
  body: (console: TestConsole) => void | Promise<void>,
): void {
  describePostgres(name, () => {
    let started: TestConsole | undefined;
    beforeAll(async () => {
      started = await startConsole(setup);
    }, START_MS);
    afterAll(() => started?.close());
    return body(whenStarted('console', () => started));
  });
}

/** The same with a browser; its pages are closed at the end of the suite. */
export function describeConsolePages(
  name: string,
  setup: ConsoleSetup,
  body: (console: ConsolePages) => void | Promise<void>,
): void {
  describeBrowser(name, () => {
    let started: ConsolePages | undefined;
    beforeAll(async () => {
      const [console, browser] = await Promise.all([startConsole(setup), startBrowser()]);
      const open: ConsolePages['open'] = (...page) => openSignedIn(console, browser, ...page);
      started = Object.assign(console, { browser, open });
    }, START_MS);
    afterAll(async () => {
      await started?.browser.close();
      await started?.close();
    });
    return body(whenStarted('console', () => started));
  });
}

// Helpers

/** The first test of a worker may have to build the pages. */
const START_MS = 180_000;

import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core';
import { describeWith, findChromium } from '../run/components.ts';
import { atWorkerEnd, perWorker } from '../run/per-worker.ts';
import type { DescribeSuite } from '../run/skip.ts';

/** A page that records its errors and its requests. */
export interface WatchedPage {
  readonly page: Page;
  /**
   * Console errors and warnings, uncaught exceptions, CSP violations and failed loads. A GET that
   * the page itself aborted (it navigated away, or something newer was requested) does not count;
   * an aborted change does.
   */
  readonly troubles: readonly string[];
  /** Every URL that was requested. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export interface TestBrowser {
  open(options?: OpenOptions): Promise<WatchedPage>;
  close(): Promise<void>;
}

export interface OpenOptions extends BrowserContextOptions {
  /** For a page that cannot be reset afterwards, such as one with a fake clock. */
  readonly isOwn?: boolean;
}

/**
 * Sandboxing needs privileges that build machines rarely grant; the other flags stop the browser's
 * own network requests.
 */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Playwright's default. */
const DEFAULT_VIEWPORT = { width: 1_280, height: 720 };
/** Those that tests listen to. */
const EVENTS = ['console', 'pageerror', 'request', 'requestfailed', 'domcontentloaded'] as const;
/** A page that takes longer to reset is not reused. */
const CLEANING_MS = 5_000;

/** `describe` for suites that need a browser. */
export const describeBrowser: DescribeSuite = describeWith('chromium');

/**
 * Pages in a headless Chromium that runs as long as the worker does, without cookies or storage.
 * Closed pages are reused, because starting a page's process takes more than half of the CPU time
 * of opening one. `close` closes only the pages that were opened here.
 */
export async function startBrowser(): Promise<TestBrowser> {
  const { browser, idle } = await perWorker('Chromium', launchChromium, (running) => running.browser.isConnected());
  const opened = new Set<WatchedPage>();
  return {
    async open(options = {}) {
      const { isOwn = false, viewport, colorScheme, reducedMotion, storageState, permissions, ...others } = options;
      const canBeReused = !isOwn && typeof storageState !== 'string';
      // Options that can be set only on a new context.
      const kind = JSON.stringify(others);
      const alike = idle.get(kind) ?? [];
      idle.set(kind, alike);
      const page =
        (canBeReused ? alike.pop() : undefined) ??
        (await (await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...others })).newPage());
      if (viewport) await page.setViewportSize(viewport);
      await page.emulateMedia({
        media: null,
        colorScheme: colorScheme ?? 'light',
        reducedMotion: reducedMotion ?? 'no-preference',
      });
      if (permissions) await page.context().grantPermissions(permissions);
      if (typeof storageState === 'object') await page.context().addCookies(storageState.cookies);
      const watched = watchPage(page, async () => {
        if (!opened.delete(watched)) return;
        if (canBeReused && (await isCleaned(page))) alike.push(page);
        else await page.context().close();
      });
      opened.add(watched);
      return watched;
    },
    close: async () => void (await Promise.all([...opened].map((watched) => watched.close()))),
  };
}

/** Opens the three-dot menu in this part of a page, and selects an action. */
export async function chooseMore(part: Page | Locator, action: string): Promise<void> {
  await part.getByRole('button', { name: /^More actions for/ }).click();
  const page = 'page' in part ? part.page() : part;
  await page.getByRole('menuitem', { name: action }).click();
}

/** How far the page scrolls sideways, in CSS pixels; 0 when everything fits. */
export async function horizontalOverflow(page: Page): Promise<number> {
  const overflow: unknown = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return Number(overflow);
}

// Helpers

interface RunningBrowser {
  readonly browser: Browser;
  /** Reset pages, by the options of their context. */
  readonly idle: Map<string, Page[]>;
}

async function launchChromium(): Promise<RunningBrowser> {
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: FLAGS,
    headless: true,
    handleSIGTERM: false,
  });
  // Playwright kills Chromium and deletes its profile when the process exits.
  atWorkerEnd(() => {});
  return { browser, idle: new Map() };
}

const TROUBLES: ReadonlySet<string> = new Set(['error', 'warning']);

function watchPage(page: Page, close: () => Promise<void>): WatchedPage {
  const troubles: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (!TROUBLES.has(message.type())) return;
    const { url } = message.location();
    // The text about a failed response does not name it.
    const isResponse = message.text().startsWith('Failed to load resource') && URL.canParse(url);
    const response = isResponse ? `: ${new URL(url).pathname}` : '';
    troubles.push(`console: ${message.text()}${response}`);
  });
  page.on('pageerror', (error) => troubles.push(`exception: ${error.message}`));
  page.on('request', (request) => requests.push(request.url()));
  page.on('requestfailed', (request) => {
    // A server that closes breaks event streams, including those read with fetch; the page
    // reconnects.
    const isStream = request.resourceType() === 'eventsource' || request.url().endsWith('/live');
    if (isStream || isGivenUpRead(request)) return;
    troubles.push(`failed: ${request.method()} ${request.url()} ${request.failure()?.errorText}`);
  });
  return { page, troubles, requests, close };
}

/** Resets everything a test can have changed in a page; returns `false` if that fails. */
async function isCleaned(page: Page): Promise<boolean> {
  const context = page.context();
  for (const event of EVENTS) page.removeAllListeners(event);
  if (context.pages().length !== 1) return false;
  try {
    await Promise.all([
      page.unrouteAll(),
      context.unrouteAll(),
      context.clearCookies(),
      context.clearPermissions(),
      context.setOffline(false),
    ]);
    // Unlike `goto`, a navigation started by the page keeps its renderer process.
    await Promise.all([
      page.waitForURL('about:blank', { timeout: CLEANING_MS }),
      page.evaluate("localStorage.clear(); sessionStorage.clear(); location.replace('about:blank')"),
    ]);
    await page.setViewportSize(DEFAULT_VIEWPORT);
    await page.mouse.move(0, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Chromium reports ERR_ABORTED only for requests that the page cancelled, by a signal or by
 * navigating away. Failures of a server or the network are ERR_CONNECTION_…, ERR_EMPTY_RESPONSE and
 * the like.
 */
function isGivenUpRead(request: Request): boolean {
  return request.method() === 'GET' && request.failure()?.errorText === 'net::ERR_ABORTED';
}

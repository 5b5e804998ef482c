import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core';
import { type DescribeSuite, requireOrSkip } from './skip.ts';

/** A page with a record of everything that went wrong or out. */
export interface WatchedPage {
  readonly page: Page;
  /**
   * Console errors and warnings, uncaught exceptions, violations of the security policy, failed loads. A read that the page
   * itself gave up is none: it was left, or something newer was asked for. A change that was given up is.
   */
  readonly troubles: readonly string[];
  /** Every URL that was asked for. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export interface TestBrowser {
  open(options?: BrowserContextOptions): Promise<WatchedPage>;
  close(): Promise<void>;
}

/**
 * The first of them that is there. The shell is the same engine without the windows of a desktop: the whole browser starts two
 * more pages beside every page of a test, for its own address bar, and computes twice as much for the same tests.
 */
const CHROMIUM_PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM_PATH = process.env.TEST_CHROMIUM_PATH ?? CHROMIUM_PATHS.find((path) => existsSync(path)) ?? '';

/** Sandboxing needs privileges that build machines rarely grant; the rest keeps the browser from calling home. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** `describe` for suites that need a browser. */
export const describeBrowser: DescribeSuite = requireOrSkip(
  existsSync(CHROMIUM_PATH),
  `there is no Chromium at ${CHROMIUM_PATH || CHROMIUM_PATHS.join(' or ')}`,
  'apt-get install chromium-headless-shell (or chromium), or set TEST_CHROMIUM_PATH',
);

/** Starts a headless Chromium with an empty profile, which is deleted when it is closed. */
export async function startBrowser(): Promise<TestBrowser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: FLAGS, headless: true });
  return { open: (options) => openPage(browser, options), close: () => browser.close() };
}

/** How far the page can be scrolled sideways, in CSS pixels; 0 when everything fits. */
export async function horizontalOverflow(page: Page): Promise<number> {
  const overflow: unknown = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return Number(overflow);
}

// Helpers

async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
  const page = await context.newPage();
  const troubles: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`exception: ${error.message}`));
  page.on('request', (request) => requests.push(request.url()));
  page.on('requestfailed', (request) => {
    // A server that closes cuts streams of events off, also one that is read by hand; they come again by themselves.
    const isStream = request.resourceType() === 'eventsource' || request.url().endsWith('/live');
    if (isStream || isGivenUpRead(request)) return;
    troubles.push(`failed: ${request.method()} ${request.url()} ${request.failure()?.errorText}`);
  });
  return { page, troubles, requests, close: () => context.close() };
}

/**
 * Chromium says ERR_ABORTED for what the page called off, with a signal or by being left, and for nothing that a server or the
 * network does: those are ERR_CONNECTION_…, ERR_EMPTY_RESPONSE and the like.
 */
function isGivenUpRead(request: Request): boolean {
  return request.method() === 'GET' && request.failure()?.errorText === 'net::ERR_ABORTED';
}

import type { TestBrowser } from '../../support/browser/browser.ts';

/**
 * A connection like the browser's "fast 3G": 1.6 Mbit/s down, 750 kbit/s up, 150 ms until a
 * response begins.
 */
export const SLOW_LINE = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1_000_000) / 8,
  uploadThroughput: (750 * 1_000) / 8,
} as const;

export interface Transfer {
  /** As transferred: compressed, with headers. For the endless event stream, only its headers. */
  readonly bytes: number;
  readonly files: number;
  /** From the page request until its script has run: copy buttons work, and updates arrive. */
  readonly usableMs: number;
  /** Until the first text or image was drawn. */
  readonly firstPaintMs: number;
}

/** Loads a page with an empty cache and counts the transferred bytes. */
export async function transferOf(
  browser: TestBrowser,
  url: string,
  line: typeof SLOW_LINE | null = null,
): Promise<Transfer> {
  const { page, close } = await browser.open();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  if (line !== null) await session.send('Network.emulateNetworkConditions', line);
  const sizes = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, response }) => sizes.set(requestId, response.encodedDataLength));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  await page.goto(url, { waitUntil: 'load' });
  const times = (await page.evaluate(`({
    usableMs: performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd,
    firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  })`)) as Pick<Transfer, 'usableMs' | 'firstPaintMs'>;
  await session.detach();
  await close();
  return { ...times, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0), files: sizes.size };
}

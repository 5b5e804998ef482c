import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Makes `axe` known to the page as it is now, once until the next navigation: it is half a megabyte to send and to read. Resolves
 * when nothing moves any more: what is just fading in has other colours than those that people read.
 */
export async function loadAxe(page: Page): Promise<void> {
  const isLoaded = await page.evaluate("typeof globalThis.axe?.run === 'function'");
  if (isLoaded !== true) await page.evaluate(AXE);
  await page.evaluate(STAND_STILL);
}

/** Of what ends by itself; a spinner never does. One that is cancelled has ended as well. */
const STAND_STILL = `Promise.allSettled(document.getAnimations()
  .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity && animation.playState === 'running')
  .map((animation) => animation.finished)).then(() => null)`;

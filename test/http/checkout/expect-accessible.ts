import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Language } from '../../../src/http/checkout/languages/choose-language.ts';
import { violationsOn } from '../../support/browser/axe.ts';
import { horizontalOverflow } from '../../support/browser/browser.ts';
import { level } from '../../support/run/level.ts';

/**
 * Runs axe on a page in English, in both themes. The other languages have the same elements with
 * other words. The quick level checks dark colours only when `hasOwnColours`, because other pages
 * have a part of those.
 */
export async function expectNoViolations(
  page: Page,
  name: string,
  { language, hasOwnColours }: { readonly language: Language; readonly hasOwnColours: boolean },
): Promise<void> {
  if (language !== 'en') return;
  expect([name, await violationsOn(page)]).toEqual([name, []]);
  if (!hasOwnColours && !level.isFull) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  expect([name, 'dark', await violationsOn(page, [], { isFurtherViewport: true })]).toEqual([name, 'dark', []]);
  await page.emulateMedia({ colorScheme: 'light' });
}

/**
 * The languages in which every page is opened. Of the languages other than English, the quick level
 * opens only the pages with the most content.
 */
export function hasEveryPage(language: Language): boolean {
  return level.isFull || language === 'en';
}

/**
 * The page keeps the last width, and the next one opens in it. Small screens break most easily; the
 * quick level tries long words only on them.
 */
export async function expectToFit(page: Page, name: string, language: Language): Promise<void> {
  for (const width of language === 'en' || level.isFull ? WIDTHS : WIDTHS.slice(-1)) {
    await page.setViewportSize({ width, height: 800 });
    expect([name, width, await horizontalOverflow(page)]).toEqual([name, width, 0]);
  }
}

// Helpers

const WIDTHS = [1_440, 390, 320];

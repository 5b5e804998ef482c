import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Language } from '../../src/checkout/languages/language.ts';
import { violationsOn } from '../support/axe.ts';
import { horizontalOverflow } from '../support/browser.ts';
import { level } from '../support/level.ts';

/**
 * Runs axe on a page that is shown in light colours: in English in both themes, which are the same in every language. The other
 * languages have the same elements with other words, so the quick level leaves them out.
 */
export async function expectNoViolations(page: Page, name: string, language: Language): Promise<void> {
  if (language !== 'en' && !level.isFull) return;
  expect([name, await violationsOn(page)]).toEqual([name, []]);
  if (language !== 'en') return;
  await page.emulateMedia({ colorScheme: 'dark' });
  expect([name, 'dark', await violationsOn(page, [], { isOtherLook: true })]).toEqual([name, 'dark', []]);
  await page.emulateMedia({ colorScheme: 'light' });
}

/**
 * The languages whose every page is opened: English has the themes checked. Of the others the quick
 * level opens the fullest.
 */
export function hasEveryPage(language: Language): boolean {
  return level.isFull || language === 'en';
}

/**
 * The page stays in the last width: the next one is opened in it. Small screens have the most to go
 * wrong, and are all that the quick level tries long words on.
 */
export async function expectToFit(page: Page, name: string, language: Language): Promise<void> {
  for (const width of language === 'en' || level.isFull ? WIDTHS : WIDTHS.slice(-1)) {
    await page.setViewportSize({ width, height: 800 });
    expect([name, width, await horizontalOverflow(page)]).toEqual([name, width, 0]);
  }
}

// Helpers

const WIDTHS = [1_440, 390, 320];

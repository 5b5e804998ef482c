import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';

/**
 * Dialogs and tables that have to be scrolled sideways, by their class; a page that fits can
 * contain some.
 */
export async function cutOffParts(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('.dialog-body, .table-frame')]
    .filter((part) => part.scrollWidth > part.clientWidth)
    .map((part) => part.className + ' by ' + (part.scrollWidth - part.clientWidth))`);
}

/** Saves a screenshot for review when `TEST_PICTURES` names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_PICTURES;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

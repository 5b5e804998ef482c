import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { WatchedPage } from '../../support/browser.ts';

/** What went wrong on a page, without requests that it gave up itself because something newer was asked for or it was left. */
export function troublesOf({ troubles }: WatchedPage): readonly string[] {
  // One that the server or the network fails leaves a message of the browser's as well.
  return troubles.filter((trouble) => !GIVEN_UP.test(trouble));
}

/** Dialogs and tables that have to be scrolled sideways to be read, by their class; a page that fits can have some. */
export async function cutOffParts(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('.dialog-body, .table-frame')]
    .filter((part) => part.scrollWidth > part.clientWidth)
    .map((part) => part.className + ' by ' + (part.scrollWidth - part.clientWidth))`);
}

/** Pictures of what was tested, for looking at: `TEST_PICTURES` names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_PICTURES;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

// Helpers

const GIVEN_UP = /^failed: http:\/\/127\.0\.0\.1:\d+\/console\/api\//;

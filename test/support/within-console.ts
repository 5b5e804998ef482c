import type { Page } from 'playwright-core';

/**
 * Has a page of the console that is open show another one, as going forward in the history does: to
 * load it all anew takes several times as long. It resolves when the other page is there, perhaps
 * without its data.
 */
export async function showWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

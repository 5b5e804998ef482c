import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { horizontalOverflow } from './browser.ts';
import { level } from './level.ts';
import { PATIENCE } from './patience.ts';

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const TABLET_PX = 768;

/** A width and a theme, as each occurs on a desktop and on a phone. */
export const LOOKS = [
  { width: 1_440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;
/** With the width at which most pages change from one arrangement to the other. */
export const TABLET_TOO = [LOOKS[0], { width: TABLET_PX, colorScheme: 'light' }, LOOKS[1]] as const;
/**
 * Of a page that all rules were asked about in another look, the quick level asks for those that
 * the look has a say in.
 */
export interface OtherLook {
  readonly isOtherLook?: boolean;
}
export type Look = { readonly width: number; readonly colorScheme: 'light' | 'dark' };

/** What axe finds on the page as it is now, every rule of WCAG 2 and of good practice, as `impact rule: element remedy`. */
export async function violationsOn(
  page: Page,
  withoutRules: readonly string[] = [],
  { isOtherLook = false }: OtherLook = {},
): Promise<string[]> {
  const found = await runAxe(page, rulesFor({ withoutRules }, isOtherLook));
  return found.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

/** What axe calls serious or worse on the page as it is now, with the elements and what is wrong with them. */
export async function seriousViolations(
  { page }: { readonly page: Page },
  { isOtherLook = false }: OtherLook = {},
): Promise<string[]> {
  const found = await runAxe(page, rulesFor({}, isOtherLook));
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        // Glyphs of a chart, like 1:1 on a button, are drawn signs and no words; their names say more.
        .filter(({ isInChart }) => id !== 'label-content-name-mismatch' || !isInChart)
        .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    );
}

/**
 * Expects the page to fit in each look and to have no serious violations in the first and the last: what axe finds differs between
 * the two ends at most. The page is resized, not loaded again; it is left as it was opened.
 */
export async function expectUsable(
  watched: { readonly page: Page },
  looks: readonly Look[] = LOOKS,
  check: (look: Look) => Promise<void> = async () => {},
): Promise<void> {
  const { page } = watched;
  const devTools = await page.context().newCDPSession(page);
  for (const look of looks) {
    await showIn(page, look);
    // Pages have larger controls for fingers, which is what `(pointer: coarse)` asks for.
    await devTools.send('Emulation.setTouchEmulationEnabled', { enabled: look.width < TABLET_PX });
    await vi.waitFor(async () => expect(await horizontalOverflow(page), `at ${look.width}`).toBe(0), PATIENCE);
    const isOtherLook = look !== looks[0];
    if (!isOtherLook || look === looks.at(-1) || level.isFull) {
      expect(await seriousViolations(watched, { isOtherLook }), `${look.width}, ${look.colorScheme}`).toEqual([]);
    }
    await check(look);
  }
  await devTools.detach();
  await showIn(page, LOOKS[0]);
}

// Helpers

/**
 * Colours and what scrolls; and the names of controls, some of which are there on small screens
 * alone.
 */
const RULES_OF_LOOKS = [
  'color-contrast',
  'link-in-text-block',
  'scrollable-region-focusable',
  'button-name',
  'link-name',
];

interface Rules {
  readonly withoutRules?: readonly string[];
  /** In the place of all others. */
  readonly onlyRules?: readonly string[];
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly {
    readonly html: string;
    readonly failureSummary: string;
    readonly isInChart: boolean;
  }[];
}

function rulesFor(rules: Rules, isOtherLook: boolean): Rules {
  return isOtherLook && !level.isFull ? { onlyRules: RULES_OF_LOOKS } : rules;
}

async function showIn(page: Page, { width, colorScheme }: Look): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
}

/** Waits until nothing moves: what is just fading in has other colours than those that people read. */
async function runAxe(page: Page, rules: Rules): Promise<readonly Violation[]> {
  // Half a megabyte to send and to parse: once until the next navigation.
  const isLoaded = await page.evaluate("typeof globalThis.axe?.run === 'function'");
  if (isLoaded !== true) await page.evaluate(AXE);
  await page.evaluate(STAND_STILL);
  return (await page.evaluate(runOf(rules))) as readonly Violation[];
}

/** Of what ends by itself; a spinner never does. One that is cancelled has ended as well. */
const STAND_STILL = `Promise.allSettled(document.getAnimations()
  .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity && animation.playState === 'running')
  .map((animation) => animation.finished)).then(() => null)`;

/** Preloading is for rules about media and for experimental ones, and takes half of the time: the pages have no media. */
function runOf({ withoutRules = [], onlyRules }: Rules): string {
  const rules = Object.fromEntries(withoutRules.map((rule) => [rule, { enabled: false }]));
  const asked = JSON.stringify(onlyRules === undefined ? { rules } : { runOnly: onlyRules });
  return `axe.run(document, { preload: false, resultTypes: ['violations'], ...${asked} })
    .then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(
      ({ html, failureSummary, target }) => ({ html, failureSummary,
        isInChart: document.querySelector(target[0])?.closest('.chart-figure') != null })) })))`;
}

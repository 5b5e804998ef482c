import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { POLLING } from '../polling.ts';
import { level } from '../run/level.ts';
import { horizontalOverflow } from './browser.ts';

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const TABLET_PX = 768;

/** Widths and themes of a desktop and of a phone. */
export const VIEWPORTS = [
  { width: 1_440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;
/** Adds the width at which most pages change their layout. */
export const TABLET_TOO = [VIEWPORTS[0], { width: TABLET_PX, colorScheme: 'light' }, VIEWPORTS[1]] as const;
/**
 * When all rules have already run on the page in another viewport, the quick level runs only the
 * rules that depend on the viewport.
 */
export interface FurtherViewport {
  readonly isFurtherViewport?: boolean;
}
export interface SeriousOptions extends FurtherViewport {
  /** Skips the drawings of charts. */
  readonly withoutCharts?: boolean;
}
export type Viewport = { readonly width: number; readonly colorScheme: 'light' | 'dark' };

/**
 * All findings of axe on the current page, for every rule of WCAG 2 and best practice, as `impact
 * rule: element remedy`.
 */
export async function violationsOn(
  page: Page,
  withoutRules: readonly string[] = [],
  { isFurtherViewport = false }: FurtherViewport = {},
): Promise<string[]> {
  const found = await runAxe(page, rulesFor({ withoutRules }, isFurtherViewport));
  return found.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

/** Serious or critical findings of axe on the current page, with their elements. */
export async function seriousViolations(
  { page }: { readonly page: Page },
  { isFurtherViewport = false, withoutCharts = false }: SeriousOptions = {},
): Promise<string[]> {
  // Text that fades out has less contrast than it should.
  await page.locator('[role="dialog"][data-closed]').waitFor({ state: 'detached' });
  const found = await runAxe(page, { ...rulesFor({ onlySerious: true }, isFurtherViewport), withoutCharts });
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        // Glyphs of a chart, such as 1:1 on a button, are symbols, not words; their accessible
        // names say more.
        .filter(({ isInChart }) => id !== 'label-content-name-mismatch' || !isInChart)
        .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    );
}

/**
 * Expects the page to fit in each viewport and to have no serious violations in the first and the
 * last: axe results differ at most between these two. Resizes the page without reloading it; the
 * original viewport is restored.
 */
export async function expectUsable(
  watched: { readonly page: Page },
  viewports: readonly Viewport[] = VIEWPORTS,
  check: (viewport: Viewport) => Promise<void> = async () => {},
): Promise<void> {
  const { page } = watched;
  const devTools = await page.context().newCDPSession(page);
  for (const viewport of viewports) {
    await showIn(page, viewport);
    // Pages have larger controls for touch, which is what `(pointer: coarse)` matches.
    await devTools.send('Emulation.setTouchEmulationEnabled', { enabled: viewport.width < TABLET_PX });
    await vi.waitFor(async () => expect(await horizontalOverflow(page), `at ${viewport.width}`).toBe(0), POLLING);
    const isFurtherViewport = viewport !== viewports[0];
    if (!isFurtherViewport || viewport === viewports.at(-1) || level.isFull) {
      expect(
        await seriousViolations(watched, { isFurtherViewport }),
        `${viewport.width}, ${viewport.colorScheme}`,
      ).toEqual([]);
    }
    await check(viewport);
  }
  await devTools.detach();
  await showIn(page, VIEWPORTS[0]);
}

// Helpers

/** Contrast and scrolling, and the names of controls, some of which exist only on small screens. */
const RULES_OF_FURTHER_VIEWPORTS = [
  'color-contrast',
  'link-in-text-block',
  'scrollable-region-focusable',
  'button-name',
  'link-name',
];

interface Rules {
  readonly withoutRules?: readonly string[];
  /** Run only these rules. */
  readonly onlyRules?: readonly string[];
  /** Skip the rules whose findings are minor or moderate. */
  readonly onlySerious?: boolean;
  readonly withoutCharts?: boolean;
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

function rulesFor(rules: Rules, isFurtherViewport: boolean): Rules {
  return isFurtherViewport && !level.isFull ? { onlyRules: RULES_OF_FURTHER_VIEWPORTS } : rules;
}

async function showIn(page: Page, { width, colorScheme }: Viewport): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
}

/**
 * Waits until animations end: while an element fades in, its colours differ from the final ones.
 */
async function runAxe(page: Page, rules: Rules): Promise<readonly Violation[]> {
  await loadAxe(page);
  await page.evaluate(STAND_STILL);
  return (await page.evaluate(runOf(rules))) as readonly Violation[];
}

/** Pages that have loaded axe, and whether they can load it again without receiving it. */
const havingAxe = new WeakMap<Page, 'once' | 'stored'>();

/**
 * Loads axe into the current document. Sending it takes most of the CPU time, so a page that is
 * navigated stores it as a function, which costs nothing until it is called.
 */
async function loadAxe(page: Page): Promise<void> {
  const isLoaded = await page.evaluate("typeof globalThis.axe?.run === 'function' || globalThis.loadAxe?.() === true");
  if (isLoaded === true) return;
  await page.evaluate(AXE);
  const former = havingAxe.get(page);
  if (former === 'once') await page.addInitScript({ content: `globalThis.loadAxe = () => { ${AXE}; return true; };` });
  havingAxe.set(page, former === undefined ? 'once' : 'stored');
}

/**
 * Waits only for finite animations; a spinner never ends. A cancelled animation counts as ended.
 */
const STAND_STILL = `Promise.allSettled(document.getAnimations()
  .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity && animation.playState === 'running')
  .map((animation) => animation.finished)).then(() => null)`;

/**
 * Preloading, for media and experimental rules, takes half of the time: pages have no media. A rule
 * assigns its own impact to all of its findings.
 */
function runOf({ withoutRules = [], onlyRules, onlySerious = false, withoutCharts = false }: Rules): string {
  const off = `[...${JSON.stringify(withoutRules)}, ...${onlySerious ? MILD_RULES : '[]'}]`;
  const rules = `{ rules: Object.fromEntries(${off}.map((id) => [id, { enabled: false }])) }`;
  const requested = onlyRules === undefined ? rules : JSON.stringify({ runOnly: onlyRules });
  const scope = withoutCharts ? "{ include: [['html']], exclude: [['.chart-figure']] }" : SCOPE;
  return `axe.run(${scope}, { preload: false, resultTypes: ['violations'], ...${requested} })
    .then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(
      ({ html, failureSummary, target }) => ({ html, failureSummary,
        isInChart: document.querySelector(target[0])?.closest('.chart-figure') != null })) })))`;
}

/**
 * The quick level checks of a page with dialogs only the one on top: the tests with dialogs also
 * check their page without one.
 */
const SCOPE = level.isFull ? 'document' : `([...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document)`;

const MILD_RULES = 'axe._audit.rules.filter(({ impact }) => /^(minor|moderate)$/.test(impact)).map(({ id }) => id)';

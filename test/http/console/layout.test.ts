import { beforeAll, describe, expect, it } from 'vitest';
import { REAL_CHARTS } from '../../../scripts/charts/real-charts.ts';
import type {
  ChartLayout,
  FoldableChart,
  StateDescription,
  TransitionDescription,
} from '../../../src/http/console/contract/charts.ts';
import { arrange } from '../../../src/http/console/layout/arrange.ts';
import { withElk } from '../../../src/http/console/layout/elk-thread.ts';
import { faultsIn } from '../../../src/http/console/layout/faults.ts';
import { createLayoutOf } from '../../../src/http/console/layout/layout-of.ts';
import { foldedChart } from '../../../src/http/console/text-measurement/index.ts';
import { layoutIn } from '../../support/charts/find-chart.ts';
import { brokenRules } from '../../support/charts/layout-rules.ts';
import { sharedLayoutOf } from '../../support/charts/shared-layouts.ts';
import { level } from '../../support/run/level.ts';

const SMALLEST = REAL_CHARTS.reduce((least, chart) =>
  chart.transitions.length < least.transitions.length ? chart : least,
);

/** In charts at full size. */
const SMALLEST_TEXT_PX = 12;

/** Takes a few seconds on an idle core. */
const LAYOUT_LIMIT_MS = 180_000;

describe('the layout of a built-in chart', () => {
  const layouts = new Map<string, ChartLayout>();
  beforeAll(async () => {
    for (const chart of REAL_CHARTS) layouts.set(chart.kind, await sharedLayoutOf(chart));
  }, LAYOUT_LIMIT_MS);

  it.each(REAL_CHARTS)('draws everything in $kind without overlaps', (chart) => {
    expect(brokenRules(layoutIn(layouts, chart), chart)).toEqual([]);
  });

  it.each(REAL_CHARTS)('routes no edge of $kind through an unrelated box', (chart) => {
    expect(faultsIn(layoutIn(layouts, chart), chart)).toBe(0);
  });

  it.each(level.isFull ? REAL_CHARTS : [SMALLEST])(
    'is identical byte for byte when $kind is laid out again',
    async (chart) => {
      const again = await createLayoutOf()(chart);
      expect(JSON.stringify(again)).toBe(JSON.stringify(layoutIn(layouts, chart)));
    },
  );

  it.each(REAL_CHARTS)('fits $kind, folded, on a screen of 1440 × 900 at 11 px or more', async (chart) => {
    const folded = foldedChart(chart);
    const layout = await sharedLayoutOf(folded);
    expect(faultsIn(layout, folded)).toBe(0);
    const scale = Math.min(1_130 / layout.width, 660 / layout.height);
    expect(scale * SMALLEST_TEXT_PX).toBeGreaterThanOrEqual(11);
  });

  it('keeps no ELK data in what is stored and sent', () => {
    expect(JSON.stringify([...layouts.values()])).not.toContain('$');
  });
});

describe('layout', () => {
  it('does not block the event loop', async () => {
    const chart = chartOf([state('a'), state('b')], [transition('t', 'a', 'b')]);
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    count();
    await createLayoutOf()(chart).finally(() => {
      isDone = true;
    });
    expect(turns).toBeGreaterThan(100);
  });

  it('retries with fewer options when ELK fails, and reports an error when nothing helps', async () => {
    const chart = chartOf([state('a')], []);
    const requested: number[] = [];
    const layout = await withElk((elk) =>
      arrange(chart, {
        layout: (graph) => {
          requested.push(Object.keys(graph.layoutOptions ?? {}).length);
          return requested.length % 3 === 0 ? elk.layout(graph) : Promise.reject(new TypeError('reading a'));
        },
      }),
    );
    expect(brokenRules(layout, chart)).toEqual([]);
    expect(requested.slice(0, 3)).toEqual(requested.slice(0, 3).toSorted((a, b) => b - a));
    const broken = { layout: () => Promise.reject(new TypeError('reading a')) };
    await expect(arrange(chart, broken)).rejects.toThrow('chart "sample" version 1 cannot be arranged');
  });

  it('runs once per version, however often it is requested', async () => {
    const layoutOf = createLayoutOf();
    const chart = chartOf([state('a')], []);
    const first = layoutOf(chart);
    expect(layoutOf({ ...chart })).toBe(first);
    expect(layoutOf({ ...chart, version: '2' })).not.toBe(first);
    await expect(layoutOf({ ...chart, version: '2' })).resolves.toMatchObject({ version: '2' });
  });

  it('does not cache a failure', async () => {
    const layoutOf = createLayoutOf();
    const broken = chartOf([state('a')], [transition('t', 'a', 'nowhere')]);
    await expect(layoutOf(broken)).rejects.toThrow('"nowhere"');
    await expect(layoutOf(chartOf([state('a')], []))).resolves.toMatchObject({ kind: 'sample' });
  });

  it.each<[string, FoldableChart]>([
    ['state "a" occurs twice', chartOf([state('a'), state('a')], [])],
    ['the parent "b" of state "b.a"', chartOf([{ ...state('b.a'), parent: 'b' }], [])],
    [
      'lies in itself',
      chartOf(
        [
          { ...state('a'), parent: 'b' },
          { ...state('b'), parent: 'a' },
        ],
        [],
      ),
    ],
    ['transition "t" occurs twice', chartOf([state('a')], [transition('t', 'a', null), transition('t', 'a', null)])],
    ['transition "t" leaves "x"', chartOf([state('a')], [transition('t', 'x', 'a')])],
    ['transition "t" leads to "y"', chartOf([state('a')], [transition('t', 'a', 'y')])],
    ['it has no state ""', { ...chartOf([], []), states: [state('a')] }],
  ])('rejects a chart in which %s', async (message, chart) => {
    await expect(createLayoutOf()(chart)).rejects.toThrow(message);
  });

  it('draws the event of a root transition from its chip, once', async () => {
    const chart = chartOf([state('a'), state('b')], [transition('stop', '', 'b'), transition('note', '', null)]);
    const { states, events, edges } = await createLayoutOf()(chart);
    expect(states.filter(({ path }) => path === '')).toHaveLength(1);
    expect(events).toHaveLength(2);
    expect(edges.map(({ id }) => id)).toEqual(['in:stop', 'out:stop']);
  });

  it('draws no chip for a root without handlers', async () => {
    const { states } = await createLayoutOf()(chartOf([state('a')], []));
    expect(states.map(({ path }) => path)).toEqual(['a']);
  });
});

// Helpers

function chartOf(states: StateDescription[], transitions: TransitionDescription[]): FoldableChart {
  const root: StateDescription = { ...state(''), parent: null, type: 'compound' };
  return { kind: 'sample', version: '1', description: '', states: [root, ...states], transitions };
}

function state(path: string): StateDescription {
  return {
    path,
    parent: '',
    type: 'atomic',
    isInitial: false,
    description: '',
    waitsFor: null,
    entry: [],
    exit: [],
  };
}

function transition(id: string, from: string, to: string | null): TransitionDescription {
  return { id, from, to, event: 'happened', guard: null, actions: [], order: 0 };
}

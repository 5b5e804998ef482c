import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { REAL_CHARTS } from '../../../scripts/charts/real-charts.ts';
import type { ChartLayout, FoldableChart, Population } from '../../../src/http/console/contract/charts.ts';
import { foldedChart } from '../../../src/http/console/text-measurement/index.ts';
import { ChartList } from '../../../src/web/chart/chart-list.tsx';
import { foldedStep } from '../../../src/web/chart/folded-step.ts';
import { ChartPicture } from '../../../src/web/chart/picture.tsx';
import type { ChartData, ChartStep } from '../../../src/web/chart/types.ts';
import { chartNamed, layoutIn } from '../../support/charts/find-chart.ts';
import { sharedLayoutOf } from '../../support/charts/shared-layouts.ts';

/** A payment that expired and was paid late; both states were visited twice. */
const STEP_DETAIL: ChartStep = {
  step: { state: 'expired.paidLate' },
  visited: [
    { path: 'open.awaitingPayment', count: 1 },
    { path: 'expired', count: 2 },
    { path: 'expired.paidLate', count: 2 },
  ],
  taken: [{ transitionId: 'expired.watching:always:1', count: 2 }],
};

const POPULATION: Population = {
  kind: 'transaction',
  at: 7_200_000,
  leaves: [
    { state: 'open.awaitingPayment', count: 1204, oldestAt: 0, p50Ms: 1, p95Ms: 80_000, overdue: 3, limitMs: 100_000 },
    { state: 'open.inReview', count: 2, oldestAt: 0, p50Ms: 1, p95Ms: 2, overdue: null, limitMs: null },
    { state: 'closedCompleted', count: 250_000, oldestAt: 0, p50Ms: 1, p95Ms: 2, overdue: null, limitMs: null },
  ],
};

/** Takes a few seconds on an idle core. */
const LAYOUT_LIMIT_MS = 180_000;

describe('the drawing of a chart', () => {
  const layouts = new Map<string, ChartLayout>();
  beforeAll(async () => {
    for (const chart of REAL_CHARTS) layouts.set(chart.kind, await sharedLayoutOf(chart));
  }, LAYOUT_LIMIT_MS);

  it.each(REAL_CHARTS)('of $kind contains every state, event and edge of the layout once', (chart) => {
    const layout = layoutIn(layouts, chart);
    const svg = picture(chart, layout);
    const nodes = [
      ...layout.states.map(({ path }) => `state:${path}`),
      ...chart.transitions.map(({ id }) => `event:${id}`),
    ];
    expect(valuesOf('data-node', svg).toSorted()).toEqual(nodes.toSorted());
    expect(valuesOf('data-edge', svg).toSorted()).toEqual(layout.edges.map(({ id }) => id).toSorted());
    expect(svg.match(/class="chart-initial"/g)).toHaveLength(layout.initials.length);
  });

  it.each(REAL_CHARTS)('of $kind writes every name, event and guard', (chart) => {
    const texts = new Set(textsOf(picture(chart, layoutIn(layouts, chart))));
    const names = chart.states.map(({ path }) => path.split('.').at(-1) ?? '').filter((name) => name !== '');
    const events = chart.transitions.map(({ event }) => event).filter((event) => event !== 'always');
    const guards = chart.transitions.flatMap(({ guard }) => (guard === null ? [] : [`[${guard}]`]));
    expect([...names, ...events, ...guards].filter((text) => !texts.has(text))).toEqual([]);
  });

  it('gives final states a second border, and timers a clock', () => {
    const chart = chartNamed('delivery');
    const svg = picture(chart, layoutIn(layouts, chart));
    const finals = chart.states.filter(({ type }) => type === 'final');
    expect(svg.match(/class="chart-inner-border"/g)).toHaveLength(finals.length);
    const timers = chart.transitions.filter(({ event }) => event.startsWith('timer.'));
    expect(svg.match(/<g class="chart-glyph"><circle/g)).toHaveLength(timers.length);
  });

  it('numbers the branches of a fork in evaluation order', () => {
    const chart = chartNamed('delivery');
    const svg = picture(chart, layoutIn(layouts, chart));
    expect(nodeOf('event:sending:sender.attempt_failed:0', svg)).toMatch(/class="chart-order".*>1</);
    expect(nodeOf('event:sending:sender.attempt_failed:1', svg)).toMatch(/class="chart-order".*>2</);
    expect(nodeOf('event:sending:sender.attempt_succeeded:0', svg)).not.toContain('chart-order');
  });

  it('highlights the current state of an actor and its parents, and counts past visits', () => {
    const chart = chartNamed('transaction');
    const svg = picture(chart, layoutIn(layouts, chart), { stepDetail: STEP_DETAIL, population: POPULATION });
    const live = valuesOf('data-node', svg).filter((node) => / is-live/.test(tagOf(node, svg)));
    expect(live).toEqual(['state:expired', 'state:expired.paidLate']);
    expect(nodeOf('state:expired.paidLate', svg)).toContain('>2×<');
    expect(tagOf('state:open.awaitingPayment', svg)).toContain('is-visited');
    expect(tagOf('event:expired.watching:always:1', svg)).toContain('is-taken');
    expect(svg.match(/class="chart-edge is-taken"/g)).toHaveLength(2);
    // The population is not shown over the history of one actor.
    expect(svg).not.toContain('1,204');
    expect(nodeOf('state:expired.paidLate', svg)).toContain('the actor is here, visited 2 times');
  });

  it('shows the actors per state, with the sum per parent, and marks overdue states with a symbol', () => {
    const chart = chartNamed('transaction');
    const svg = picture(chart, layoutIn(layouts, chart), { population: POPULATION });
    expect(textsOf(nodeOf('state:open', svg))).toContain('1,206');
    expect(textsOf(nodeOf('state:open.awaitingPayment', svg))).toEqual(expect.arrayContaining(['1,204', '3']));
    expect(nodeOf('state:open.awaitingPayment', svg)).toContain('chart-warning');
    expect(nodeOf('state:open.inReview', svg)).not.toContain('chart-warning');
    expect(textsOf(nodeOf('state:closedCompleted', svg))).toContain('250K');
    expect(nodeOf('state:open.awaitingPayment', svg)).toContain('1204 here, 3 overdue');
  });

  it('writes the oldest and the p95 into a state, and warms it by p95 against what is usual there', () => {
    const chart = chartNamed('transaction');
    const svg = picture(chart, layoutIn(layouts, chart), { population: POPULATION });
    expect(textsOf(nodeOf('state:open.awaitingPayment', svg))).toContain('oldest 2 h · p95 1 min');
    expect(tagOf('state:open.awaitingPayment', svg)).toContain('is-heat-2');
    // Without a limit, or without anyone there, a state stays cool.
    expect(tagOf('state:open.inReview', svg)).not.toContain('is-heat');
    expect(textsOf(nodeOf('state:open.partiallyPaid', svg))).toContain('waits for the customer');
  });

  it('folded, has an arrow for each pair of states, taken as often as all it stands for', async () => {
    const chart = chartNamed('delivery');
    const folded = foldedChart(chart);
    const taken = ['sending:sender.attempt_failed:0', 'sending:timer.answer_overdue:0', 'sending:always:0'];
    const whole = { ...STEP_DETAIL, taken: taken.map((transitionId) => ({ transitionId, count: 2 })) };
    const stepDetail = foldedStep(whole, chart);
    const svg = picture(folded, await sharedLayoutOf(folded), stepDetail === undefined ? {} : { stepDetail });
    const pairs = chart.transitions.flatMap(({ from, to }) => (to === null ? [] : [`${from}&gt;${to}`]));
    expect(valuesOf('data-arrow', svg).toSorted()).toEqual([...new Set(pairs)].toSorted());
    expect(svg).toContain('timer.answer_overdue, taken 4 times');
    expect(valuesOf('data-node', svg).filter((node) => node.startsWith('event:'))).toEqual([]);
    expect(svg.match(/class="chart-edge is-taken"/g)).toHaveLength(2);
  });

  it('marks the selection, and renders nodes as buttons only where selection has an effect', () => {
    const chart = chartNamed('delivery');
    const layout = layoutIn(layouts, chart);
    expect(picture(chart, layout)).not.toContain('role="button"');
    const svg = picture(chart, layout, {
      selected: { transition: 'waiting:timer.retry_due:0' },
      onSelectState: () => undefined,
      onSelectTransition: () => undefined,
    });
    expect(nodeOf('event:waiting:timer.retry_due:0', svg)).toContain('aria-pressed="true"');
    expect(nodeOf('state:waiting', svg)).toContain('aria-pressed="false"');
    expect(svg.match(/class="chart-edge is-selected"/g)).toHaveLength(2);
  });

  it('gives screen readers the same information', () => {
    const chart = chartNamed('delivery');
    const svg = picture(chart, layoutIn(layouts, chart));
    expect(nodeOf('state:sending', svg)).toContain('aria-label="sending, initial, waits for the sender, ');
    expect(nodeOf('event:waiting:timer.retry_due:0', svg)).toContain(
      'timer.retry_due, in waiting, leads to sending, if isRunningTimer, runs cancelRetry',
    );
  });

  it('sends no request: no script, no URL but the SVG namespace', () => {
    for (const chart of REAL_CHARTS) {
      const svg = picture(chart, layoutIn(layouts, chart));
      expect(svg).not.toMatch(/<script|\son\w+=|href|url\(|@import/);
      expect(svg.match(/https?:\/\/[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
    }
  });
});

describe('the list of a chart', () => {
  it.each(REAL_CHARTS)('of $kind contains every transition, and nests states like the chart', (chart) => {
    const html = list({ chart });
    const ids = chart.transitions.map(({ id }) => id);
    expect(valuesOf('data-transition', html).toSorted()).toEqual(ids.toSorted());
    const names = [...html.matchAll(/<strong class="chart-list-title">([^<]*)</g)].map((match) => match[1]);
    expect(names).toEqual(
      chart.states.filter(({ path }) => path !== '').map(({ path }) => path.slice(path.lastIndexOf('.') + 1)),
    );
  });

  it('shows the same as the drawing, for one actor and for all', () => {
    const chart = chartNamed('transaction');
    const ofOne = list({ chart, stepDetail: STEP_DETAIL });
    expect(ofOne).toContain('is here');
    expect(ofOne).toContain('visited 2×');
    expect(ofOne).toContain('taken 2×');
    expect(ofOne.slice(0, ofOne.indexOf('<details'))).toContain('paidLate');
    expect(ofOne).toContain('<summary>1 state not visited</summary>');
    const ofAll = list({ chart, population: POPULATION });
    expect(ofAll).not.toContain('<details');
    expect(ofAll).toContain('1,206 here');
    expect(ofAll).toContain('⚠ 3 overdue');
  });

  it('renders states and transitions as buttons where selection has an effect', () => {
    const chart = chartNamed('schedule');
    const states = chart.states.length - 1;
    const html = list({ chart, onSelectState: () => undefined, onSelectTransition: () => undefined });
    expect(html.match(/<button/g)).toHaveLength(states + chart.transitions.length);
    expect(list({ chart })).not.toContain('<button');
  });
});

// Helpers

function picture(chart: FoldableChart, layout: ChartLayout, more: Partial<ChartData> = {}): string {
  return renderToStaticMarkup(createElement(ChartPicture, { ...more, chart, layout, css: '' }));
}

function list(data: ChartData): string {
  return renderToStaticMarkup(createElement(ChartList, data));
}

function valuesOf(attribute: string, markup: string): string[] {
  return [...markup.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].map((match) => match[1] ?? '');
}

function textsOf(markup: string): string[] {
  return [...markup.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1] ?? '');
}

/** The opening tag of a node of the picture. */
function tagOf(node: string, svg: string): string {
  const tag = svg.match(/<g [^>]*data-node[^>]*>/g)?.find((each) => each.includes(`data-node="${node}"`));
  if (tag === undefined) throw new Error(`the picture has no ${node}`);
  return tag;
}

/** A node and its content, up to the next node. */
function nodeOf(node: string, svg: string): string {
  const start = svg.indexOf(tagOf(node, svg));
  const next = svg.indexOf('data-node', start + tagOf(node, svg).length);
  return svg.slice(start, next === -1 ? undefined : next);
}

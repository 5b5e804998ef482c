import type { ELK } from 'elkjs/lib/elk-api.js';
import type { ChartInfo, ChartLayout } from '../contract/charts.ts';
import { elkGraph } from './elk-graph.ts';
import { faultsIn, segmentsOf } from './faults.ts';
import { fromElk } from './from-elk.ts';
import { READINGS, type Reading, triesOf } from './tries.ts';

/** The width a chart gets on a page of the console, in CSS pixels. What is wider is shown smaller; what is higher is scrolled. */
const STAGE_WIDTH = 1200;

/**
 * Arranges one chart, in the direction in which it reads better: a chart that fans out from left to right, a long chain of
 * nested states downwards. Which it is shows when they are there, and neither the number of states nor of transitions
 * tells it: what counts is no misleading edge, then how large it can be shown, then how short its lines are.
 *
 * @param chart One that `checkChart` lets through.
 * @throws AggregateError when ELK gave up on every try.
 */
export async function arrange(chart: ChartInfo, elk: Pick<ELK, 'layout'>): Promise<ChartLayout> {
  const layouts: ChartLayout[] = [];
  for (const reading of READINGS) layouts.push(await firstThatWorks(chart, reading, elk));
  return layouts.reduce((best, other) => (isBetter(other, best, chart) ? other : best));
}

// Helpers

async function firstThatWorks(chart: ChartInfo, reading: Reading, elk: Pick<ELK, 'layout'>): Promise<ChartLayout> {
  const failures: unknown[] = [];
  for (const options of triesOf(reading)) {
    try {
      return fromElk(await elk.layout(elkGraph(chart, options)), chart);
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(failures, `chart "${chart.kind}" version ${chart.version} cannot be arranged`);
}

function isBetter(one: ChartLayout, other: ChartLayout, chart: ChartInfo): boolean {
  const differences = [
    faultsIn(other, chart) - faultsIn(one, chart),
    scaleOf(one) - scaleOf(other),
    lengthOf(other) - lengthOf(one),
  ];
  return (differences.find((difference) => difference !== 0) ?? 0) > 0;
}

function scaleOf({ width }: ChartLayout): number {
  return Math.min(1, STAGE_WIDTH / width);
}

function lengthOf({ edges }: ChartLayout): number {
  return edges
    .flatMap(({ points }) => segmentsOf(points))
    .reduce((sum, [start, end]) => sum + Math.abs(end.x - start.x) + Math.abs(end.y - start.y), 0);
}

import type { ELK } from 'elkjs/lib/elk-api.js';
import type { ChartLayout, FoldableChart } from '../contract/charts.ts';
import { elkGraph } from './elk-graph.ts';
import { faultsIn, segmentsOf } from './faults.ts';
import { fromElk } from './from-elk.ts';
import { READINGS, READINGS_WHEN_FOLDED, type Reading, triesOf } from './tries.ts';

/**
 * Room for a chart on a console page, in CSS pixels. A whole chart that is wider is scaled down,
 * and a higher one scrolls. A folded chart is to fit next to its table on a screen of 1440 × 900.
 */
const STAGE = { width: 1200, height: Number.POSITIVE_INFINITY };
const STAGE_WHEN_FOLDED = { width: 1130, height: 660 };

/**
 * Lays out one chart, in the direction in which it reads better: left to right for a chart that
 * fans out, top to bottom for a long chain of nested states. Neither the number of states nor of
 * transitions predicts which, so it compares the results: first by misleading edges, then by
 * display size, then by line length.
 *
 * @param chart One that `checkChart` accepts.
 * @throws AggregateError when every try failed in ELK.
 */
export async function arrange(chart: FoldableChart, elk: Pick<ELK, 'layout'>): Promise<ChartLayout> {
  const layouts: ChartLayout[] = [];
  const readings = chart.isFolded ? READINGS_WHEN_FOLDED : READINGS;
  for (const reading of readings) layouts.push(await firstThatWorks(chart, reading, elk));
  return layouts.reduce((best, other) => (isBetter(other, best, chart) ? other : best));
}

// Helpers

async function firstThatWorks(chart: FoldableChart, reading: Reading, elk: Pick<ELK, 'layout'>): Promise<ChartLayout> {
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

function isBetter(one: ChartLayout, other: ChartLayout, chart: FoldableChart): boolean {
  const differences = [
    faultsIn(other, chart) - faultsIn(one, chart),
    scaleOf(one, chart) - scaleOf(other, chart),
    lengthOf(other) - lengthOf(one),
  ];
  return (differences.find((difference) => difference !== 0) ?? 0) > 0;
}

function scaleOf({ width, height }: ChartLayout, { isFolded }: FoldableChart): number {
  const stage = isFolded ? STAGE_WHEN_FOLDED : STAGE;
  return Math.min(1, stage.width / width, stage.height / height);
}

function lengthOf({ edges }: ChartLayout): number {
  return edges
    .flatMap(({ points }) => segmentsOf(points))
    .reduce((sum, [start, end]) => sum + Math.abs(end.x - start.x) + Math.abs(end.y - start.y), 0);
}

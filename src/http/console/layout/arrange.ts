import type { ELK, LayoutOptions } from 'elkjs/lib/elk-api.js';
import type { ChartLayout, FoldableChart } from '../contract/charts.ts';
import { elkGraph } from './elk-graph.ts';
import { faultsIn, segmentsOf } from './faults.ts';
import { fromElk } from './from-elk.ts';

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

/** The reading direction of a chart, and how states are assigned to its rows or columns. */
interface Reading {
  readonly direction: 'RIGHT' | 'DOWN';
  readonly layering: 'NETWORK_SIMPLEX' | 'LONGEST_PATH' | 'COFFMAN_GRAHAM';
}

/**
 * The variants to compare. Longest-path layering spreads unconnected states over more rows, which
 * narrows a wide chart.
 */
const READINGS: readonly Reading[] = [
  { direction: 'RIGHT', layering: 'NETWORK_SIMPLEX' },
  { direction: 'DOWN', layering: 'NETWORK_SIMPLEX' },
  { direction: 'DOWN', layering: 'LONGEST_PATH' },
];

/** For folded charts: at most four states in a row, which makes a high chart lower. */
const READINGS_WHEN_FOLDED: readonly Reading[] = [...READINGS, { direction: 'DOWN', layering: 'COFFMAN_GRAHAM' }];

/**
 * ELK options, best first. Some graphs make ELK throw (kieler/elkjs#98), so each try requires less:
 * first with the order of the chart, which version 0.12 cannot keep for most nested charts, then
 * with compaction, then without both. Wrapping is not among them: on our charts it made the layout
 * larger and bent twice as many edges.
 */
function triesOf({ direction, layering }: Reading): LayoutOptions[] {
  const plain: LayoutOptions = {
    'elk.algorithm': 'layered',
    'elk.direction': direction,
    'elk.layered.layering.strategy': layering,
    'elk.layered.layering.coffmanGraham.layerBound': '4',
    'elk.edgeRouting': 'ORTHOGONAL',
    // On our largest chart a third narrower than the default, with a quarter less line length and a
    // sixth more bends.
    'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
    'elk.layered.thoroughness': '20',
    // Deterministic: the same graph gives the same picture.
    'elk.randomSeed': '1',
    // All coordinates relative to the picture, not to the parent.
    'elk.json.shapeCoords': 'ROOT',
    'elk.json.edgeCoords': 'ROOT',
  };
  const compact: LayoutOptions = { ...plain, 'elk.layered.compaction.postCompaction.strategy': 'EDGE_LENGTH' };
  return [{ ...compact, 'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES' }, compact, plain];
}

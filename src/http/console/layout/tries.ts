import type { LayoutOptions } from 'elkjs/lib/elk-api.js';

/** The reading direction of a chart, and how states are assigned to its rows or columns. */
export interface Reading {
  readonly direction: 'RIGHT' | 'DOWN';
  readonly layering: 'NETWORK_SIMPLEX' | 'LONGEST_PATH' | 'COFFMAN_GRAHAM';
}

/**
 * The variants to compare. Longest-path layering spreads unconnected states over more rows, which
 * narrows a wide chart.
 */
export const READINGS: readonly Reading[] = [
  { direction: 'RIGHT', layering: 'NETWORK_SIMPLEX' },
  { direction: 'DOWN', layering: 'NETWORK_SIMPLEX' },
  { direction: 'DOWN', layering: 'LONGEST_PATH' },
];

/** For folded charts: at most four states in a row, which makes a high chart lower. */
export const READINGS_WHEN_FOLDED: readonly Reading[] = [
  ...READINGS,
  { direction: 'DOWN', layering: 'COFFMAN_GRAHAM' },
];

/**
 * ELK options, best first. Some graphs make ELK throw (kieler/elkjs#98), so each try requires less:
 * first with the order of the chart, which version 0.12 cannot keep for most nested charts, then
 * with compaction, then without both. Wrapping is not among them: on our charts it made the layout
 * larger and bent twice as many edges.
 */
export function triesOf({ direction, layering }: Reading): LayoutOptions[] {
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

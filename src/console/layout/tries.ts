import type { LayoutOptions } from 'elkjs/lib/elk-api.js';

/** Which way a chart is read, and how states are assigned to its rows or columns. */
export interface Reading {
  readonly direction: 'RIGHT' | 'DOWN';
  readonly layering: 'NETWORK_SIMPLEX' | 'LONGEST_PATH';
}

/** Ways worth comparing. Longest paths spread states that nothing connects over more rows, which makes a wide chart narrow. */
export const READINGS: readonly Reading[] = [
  { direction: 'RIGHT', layering: 'NETWORK_SIMPLEX' },
  { direction: 'DOWN', layering: 'NETWORK_SIMPLEX' },
  { direction: 'DOWN', layering: 'LONGEST_PATH' },
];

/**
 * What to ask of ELK, best first. Some graphs make ELK throw (kieler/elkjs#98), so each try asks for less than the one
 * before it: keeping states in the order of the chart, which version 0.12 cannot do for most charts that nest, then
 * pushing everything together, then neither. Wrapping into lines is not among them: tried on our charts, it made them
 * larger and bent twice as many edges.
 */
export function triesOf({ direction, layering }: Reading): LayoutOptions[] {
  const plain: LayoutOptions = {
    'elk.algorithm': 'layered',
    'elk.direction': direction,
    'elk.layered.layering.strategy': layering,
    'elk.edgeRouting': 'ORTHOGONAL',
    // A third narrower than the default on our largest chart, with a quarter less of lines for a sixth more bends.
    'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
    'elk.layered.thoroughness': '20',
    // The same graph gives the same picture.
    'elk.randomSeed': '1',
    // All coordinates from the corner of the picture, not of the parent.
    'elk.json.shapeCoords': 'ROOT',
    'elk.json.edgeCoords': 'ROOT',
  };
  const compact: LayoutOptions = { ...plain, 'elk.layered.compaction.postCompaction.strategy': 'EDGE_LENGTH' };
  return [{ ...compact, 'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES' }, compact, plain];
}

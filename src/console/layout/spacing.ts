import type { LayoutOptions } from 'elkjs/lib/elk-api.js';
import type { ChartInfo } from '../contract/charts.ts';

/** The distances of a chart's boxes and edges, as ELK options. */
export function spacingOf({ isFolded }: ChartInfo): LayoutOptions {
  return isFolded ? SPACING_WHEN_FOLDED : SPACING_OF_EVENTS;
}

// Helpers

/**
 * Distances in CSS pixels. Without distance between edges and nodes, edges run along borders and
 * through corners.
 */
const SPACING_OF_EVENTS: LayoutOptions = {
  'elk.spacing.nodeNode': '22',
  'elk.spacing.edgeNode': '14',
  'elk.spacing.edgeEdge': '10',
  'elk.layered.spacing.nodeNodeBetweenLayers': '30',
  'elk.layered.spacing.edgeNodeBetweenLayers': '14',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '10',
};
/** Smaller, because a folded chart is to fit a screen in both directions. */
const SPACING_WHEN_FOLDED: LayoutOptions = {
  'elk.spacing.nodeNode': '16',
  'elk.spacing.edgeNode': '10',
  'elk.spacing.edgeEdge': '8',
  'elk.layered.spacing.nodeNodeBetweenLayers': '16',
  'elk.layered.spacing.edgeNodeBetweenLayers': '8',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '7',
};

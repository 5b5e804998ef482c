import type { ChartDescription } from '../../../operations/index.ts';

/** Charts, their layouts, and how many actors rest in each state. */

export type { Population, StateDescription, TransitionDescription } from '../../../operations/index.ts';

/** A chart as the service describes it, or its folded form. */
export interface FoldableChart extends ChartDescription {
  /**
   * One arrow per pair of states, without events and guards; the browser and the server fold it.
   */
  readonly isFolded?: true;
}

/** States with one arrow between each two, or with their events and guards as well. */
export type ChartDetail = 'states' | 'events';

/** Positions of all parts of a chart, in CSS pixels. Computed once per chart version. */
export interface ChartLayout {
  readonly kind: string;
  readonly version: string;
  readonly width: number;
  readonly height: number;
  readonly states: readonly (Box & { readonly path: string })[];
  /**
   * An event is a separate node between two states, so that long names stay readable. A folded
   * chart has none.
   */
  readonly events: readonly (Box & { readonly transitionId: string })[];
  readonly edges: readonly {
    readonly id: string;
    readonly transitionId: string;
    readonly points: readonly Point[];
    readonly hasArrow: boolean;
  }[];
  /**
   * Dots that mark the initial state of a chart or a branch, with the edge from the dot to that
   * state.
   */
  readonly initials: readonly { readonly state: string; readonly dot: Box; readonly points: readonly Point[] }[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

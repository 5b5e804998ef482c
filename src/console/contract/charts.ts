/** Charts, their layouts, and how many actors rest in each state. */

/** A chart that actors run. */
export interface ChartInfo {
  /** `transaction`, `delivery`, `schedule`. */
  readonly kind: string;
  readonly version: string;
  readonly description: string;
  readonly states: readonly StateInfo[];
  readonly transitions: readonly TransitionInfo[];
  /**
   * One arrow per pair of states, without events and guards; the browser and the server fold it.
   */
  readonly isFolded?: true;
}

/** States with one arrow between each two, or with their events and guards as well. */
export type ChartDetail = 'states' | 'events';

export interface StateInfo {
  /** Leaf or branch, like `open.inReview`; the root is ''. */
  readonly path: string;
  readonly parent: string | null;
  readonly type: 'atomic' | 'compound' | 'final';
  readonly isInitial: boolean;
  readonly description: string;
  /** What ends the waiting in this state, from the chart's `meta`; null if it does not say. */
  readonly waitsFor: string | null;
  /** Names of entry effects; `exit` has those of exit. */
  readonly entry: readonly string[];
  readonly exit: readonly string[];
}

export interface TransitionInfo {
  /** Stable within a chart version. */
  readonly id: string;
  readonly from: string;
  /** Null: stays in its state. */
  readonly to: string | null;
  /** Event type; `always` for eventless transitions. */
  readonly event: string;
  readonly guard: string | null;
  readonly actions: readonly string[];
  /** Order among the transitions of this event: the first whose guard holds is taken. */
  readonly order: number;
}

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

/** How many actors rest in each leaf, and for how long. */
export interface Population {
  readonly kind: string;
  readonly at: number;
  readonly leaves: readonly {
    readonly state: string;
    readonly count: number;
    /** When the longest resting actor entered; null for a final state with only archived actors. */
    readonly oldestAt: number | null;
    /** Median time in the state so far, in ms; 0 for a final state. */
    readonly p50Ms: number;
    readonly p95Ms: number;
    /**
     * How many have been there longer than usual for this state; null where no usual time is
     * defined.
     */
    readonly overdue: number | null;
    /** The longest usual time in ms, on which `overdue` is based; null where none is defined. */
    readonly limitMs: number | null;
  }[];
}

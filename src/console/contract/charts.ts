/** Charts, where their parts are drawn, and how many actors rest where. */

/** A chart that actors run. */
export interface ChartInfo {
  /** `transaction`, `delivery`, `schedule`. */
  readonly kind: string;
  readonly version: string;
  readonly description: string;
  readonly states: readonly StateInfo[];
  readonly transitions: readonly TransitionInfo[];
}

export interface StateInfo {
  /** Leaf or branch, like `open.inReview`; the root is ''. */
  readonly path: string;
  readonly parent: string | null;
  readonly type: 'atomic' | 'compound' | 'final';
  readonly isInitial: boolean;
  readonly description: string;
  /** What ends the waiting there, as the chart's `meta` says; null when it does not. */
  readonly waitsFor: string | null;
  /** Names of effects asked for on the way in and out. */
  readonly entry: readonly string[];
  readonly exit: readonly string[];
}

export interface TransitionInfo {
  /** Stable within a chart version. */
  readonly id: string;
  readonly from: string;
  /** Null stays where it is. */
  readonly to: string | null;
  /** Event type; `always` for those without an event. */
  readonly event: string;
  readonly guard: string | null;
  readonly actions: readonly string[];
  /** Place among the transitions of this event: the first whose guard holds is taken. */
  readonly order: number;
}

/** Where everything of a chart is drawn. Computed once per chart version. Units are CSS pixels. */
export interface ChartLayout {
  readonly kind: string;
  readonly version: string;
  readonly width: number;
  readonly height: number;
  readonly states: readonly (Box & { readonly path: string })[];
  /** An event is a node of its own between two states, so that long names stay readable. */
  readonly events: readonly (Box & { readonly transitionId: string })[];
  readonly edges: readonly {
    readonly id: string;
    readonly transitionId: string;
    readonly points: readonly Point[];
    readonly hasArrow: boolean;
  }[];
  /** Dots that mark where a chart or a branch begins, with the way from the dot to that state. */
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
    /** Since when the longest resting one is there; null where the archive has let go of all of them. */
    readonly oldestAt: number | null;
    /** Of how long they have been there, in ms. */
    readonly p50Ms: number;
    readonly p95Ms: number;
    /** How many have been there beyond what is usual for this state; null where nothing is. */
    readonly overdue: number | null;
  }[];
}

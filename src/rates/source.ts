import type { UnixMs } from '../../machines/index.ts';
import type { PricedSymbol } from '../config/index.ts';

/** USD per whole unit, as plain decimals above zero, of whatever a source knows. */
export type Quotes = { readonly [S in PricedSymbol]?: string };

/** Where rates come from. A new one is written by implementing this and putting it into the list at start. */
export interface RateSource {
  /** Shown beside every rate it takes part in. Unique among the sources in use. */
  readonly name: string;
  readonly kind: SourceKind;
  readonly refreshEveryMs: number;
  /**
   * The current prices. Rejects when there are none; must give up when the signal aborts. What was
   * answered before then stays in use until it is too old.
   */
  fetch(signal: AbortSignal): Promise<Quotes>;
  /** When the oldest price of its last answer was made, where the source says so: from then on it ages. */
  publishedAt?(): UnixMs | null;
}

/**
 * A market's prices are worth less as time passes. The operator's own do not age while they can be read. A reference is set once a day:
 * it may confirm or contradict others, and no price is made of it.
 */
export type SourceKind = 'market' | 'own' | 'reference';

/** How often a source on the network is asked. */
export const REFRESH_INTERVAL_MS = 60_000;

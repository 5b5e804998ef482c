import type { UnixMs } from '../../machines/index.ts';
import type { PricedSymbol } from '../platform/config/index.ts';

/** USD per whole unit, as plain decimals above zero, for the symbols that a source has. */
export type Quotes = { readonly [S in PricedSymbol]?: string };

/** A source of rates. To add one, implement this interface and add it to the list at startup. */
export interface RateSource {
  /** Shown with every rate it contributes to. Unique among the sources in use. */
  readonly name: string;
  readonly kind: SourceKind;
  readonly pollEveryMs: number;
  /**
   * The current prices. Rejects when there are none, and must stop when the signal aborts; the
   * previous prices then stay in use until they are too old.
   */
  fetch(signal: AbortSignal): Promise<Quotes>;
  /** Time of the oldest price in the last result, if known; its age counts from then. */
  publishedAt?(): UnixMs | null;
}

/**
 * `market` prices expire. The operator's `own` prices do not age while they can be read. A
 * `reference` is set once a day: it can confirm or contradict others, but is never part of a price.
 */
export type SourceKind = 'market' | 'own' | 'reference';

/** Default polling interval of sources. */
export const POLL_INTERVAL_MS = 60_000;

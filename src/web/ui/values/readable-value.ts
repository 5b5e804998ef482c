import type { CoinUnit } from '../../../http/console/operator/schemas.ts';
import { amountText, coinsText } from './amount-text.ts';
import { durationText, timestampText } from './time-text.ts';

/** A value as people read it, with what is stored if that says more. */
export interface ReadableValue {
  readonly text: string;
  readonly stored: string | null;
}

/**
 * The meaning of a context value, by the naming of chart fields: `…BaseUnits` is an amount, `…At`
 * and `…Since` are times, `…Ms` is a duration. Null for any other.
 *
 * @param path Names from the outermost to that of the value. Members of a `…Since` are times too.
 */
export function readableValueOf(path: readonly string[], value: unknown, coin: CoinUnit | null): ReadableValue | null {
  const name = path.at(-1) ?? '';
  if (name.endsWith('BaseUnits') && typeof value === 'string' && WHOLE.test(value)) {
    return {
      text: coin === null ? amountText(value) : amountText(coinsText(value, coin.decimals), coin.symbol),
      stored: `${value} base units`,
    };
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  const isTime = IS_TIME.test(name) || path.at(-2)?.endsWith('Since') === true;
  if (isTime && value > EARLIEST_TIME && value < LATEST_TIME) return { text: timestampText(value), stored: null };
  return name.endsWith('Ms') ? { text: value === 0 ? '0 s' : durationText(value), stored: null } : null;
}

// Helpers

const WHOLE = /^-?\d+$/;
const IS_TIME = /^at$|At$|Since$/;
/** In 2001, as Unix milliseconds: smaller numbers are heights or counts. */
const EARLIEST_TIME = 1_000_000_000_000;
/** The last that browsers can show. */
const LATEST_TIME = 8_640_000_000_000_000;

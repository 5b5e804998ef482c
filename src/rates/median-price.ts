import { type Decimal, formatDecimal, parsePositiveDecimal, roundHalfUp, sameScale, tenToThe } from './decimal.ts';

/** The price of one unit according to one source. */
export interface SourcedPrice {
  readonly source: string;
  /** USD per whole unit: a plain decimal above zero. */
  readonly usd: string;
  /** Used to detect outliers among the other prices, but not part of the resulting price. */
  readonly isReference?: boolean;
}

/** The price the sources agree on, and the sources that agree. */
export interface MedianPrice {
  readonly usd: string;
  readonly sources: readonly string[];
}

/** A price further than this from the median of all, in percent of the median, is an outlier. */
export const OUTLIER_PERCENT = 5n;

/** Maximum significant digits of a rate, so that it is exact as a JSON number. */
const RATE_SIGNIFICANT_DIGITS = 15;

/**
 * The median of the prices within 5 % of the median of all. References count when outliers are
 * dropped, but not in the resulting median. Null when no price but references remains, or when at
 * most half of all remain: no source, two more than a tenth apart, or one between two outliers
 * on either side, which is just as doubtful. A single remaining price must also be within 5 % of
 * the references.
 */
export function medianPrice(prices: readonly SourcedPrice[]): MedianPrice | null {
  const parsed = prices.map(({ usd, ...each }) => ({
    ...each,
    value: parsePositiveDecimal(usd, `price of ${each.source}`),
  }));
  const middle = median(parsed.map(({ value }) => value));
  if (middle === null) return null;
  const kept = parsed.filter(({ value }) => isNear(value, middle));
  const references = kept.filter(({ isReference }) => isReference === true);
  const current = kept.filter(({ isReference }) => isReference !== true);
  const agreed = median(current.map(({ value }) => value));
  if (agreed === null || kept.length * 2 <= parsed.length) return null;
  // The median of one price and one reference is their mean, within 5 % of both even at 10 % apart.
  const reference = median(references.map(({ value }) => value));
  if (current.length === 1 && reference !== null && !isNear(agreed, reference)) return null;
  return { usd: formatDecimal(toSignificantDigits(agreed)), sources: current.map(({ source }) => source).sort() };
}

// Helpers

/** The middle value, or the exact mean of the two in the middle. */
function median(values: readonly Decimal[]): Decimal | null {
  const scale = Math.max(0, ...values.map((value) => value.scale));
  const sorted = values
    .map((value) => value.coefficient * tenToThe(scale - value.scale))
    .sort((a, b) => (a < b ? -1 : Number(a > b)));
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  const upper = sorted[Math.floor(sorted.length / 2)];
  if (lower === undefined || upper === undefined) return null;
  // Halving a sum adds at most one decimal place.
  return { coefficient: (lower + upper) * 5n, scale: scale + 1 };
}

function isNear(value: Decimal, middle: Decimal): boolean {
  const [price, reference] = sameScale(value, middle);
  const distance = price < reference ? reference - price : price - reference;
  return distance * 100n <= reference * OUTLIER_PERCENT;
}

function toSignificantDigits(value: Decimal): Decimal {
  const surplus = value.coefficient.toString().length - RATE_SIGNIFICANT_DIGITS;
  return surplus <= 0 ? value : roundHalfUp(value, Math.max(0, value.scale - surplus));
}

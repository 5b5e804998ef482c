import { type Decimal, formatDecimal, parsePositiveDecimal, roundHalfUp, sameScale, tenToThe } from './decimal.ts';

/** What one source says a unit costs. */
export interface SourcedPrice {
  readonly source: string;
  /** USD per whole unit: a plain decimal above zero. */
  readonly usd: string;
  /** It has a say in which of the others to believe, and is no part of the price. */
  readonly isReference?: boolean;
}

/** The price the sources agree on, and the sources that agree. */
export interface AgreedPrice {
  readonly usd: string;
  readonly sources: readonly string[];
}

/** A price this far from the median of all, in percent of the median, is taken for an error of its source. */
const OUTLIER_PERCENT = 5n;

/** A rate has at most this many significant digits, so that it is exact as a JSON number. */
const RATE_SIGNIFICANT_DIGITS = 15;

/**
 * The median of the prices after those more than 5 % away from the median of all are dropped;
 * references count as prices until then, and as nothing in the median. Null when no other price is
 * left, or when what is left is not more than half of them: no source, two that contradict each
 * other, or one between two that err to either side, which is as likely to err itself. A price that
 * stands alone must be within 5 % of the references, too.
 */
export function agreedPrice(prices: readonly SourcedPrice[]): AgreedPrice | null {
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
  // The median of two is their mean, which is within 5 % of both while they are 10 % apart.
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
  // Half of a sum has at most one place more.
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

import { TerminalError } from '../errors.ts';
import { readCents } from './amount.ts';
import type { LinkPrice } from './link.ts';

/** The price of a new link as decimal text, and the names of its parts in messages. */
export interface PriceText {
  readonly amount: string | null;
  readonly min: string | null;
  readonly max: string | null;
  readonly names: { readonly amount: string; readonly min: string; readonly max: string };
}

/**
 * The price of a link: fixed when there is an amount, otherwise chosen by the payer. Throws
 * `INVALID_AMOUNT` for a part that is no amount, `INVALID_REQUEST` for a fixed price with bounds.
 */
export function readPrice({ amount, min, max, names }: PriceText): LinkPrice {
  if (amount === null) {
    const centsOrNull = (text: string | null, name: string) => (text === null ? null : readCents(text, name));
    return { kind: 'open', minCents: centsOrNull(min, names.min), maxCents: centsOrNull(max, names.max) };
  }
  if (min === null && max === null) return { kind: 'fixed', cents: readCents(amount, names.amount) };
  const message = `A link with ${names.amount} has a fixed price: leave out ${names.min} and ${names.max}, or ${names.amount}`;
  throw new TerminalError('INVALID_REQUEST', message, { field: names.amount });
}

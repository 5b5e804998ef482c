import type { CryptoSymbol, FiatCurrency } from '../../machines/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { centsText, readCents } from './amount.ts';
import type { PaymentLink } from './link.ts';

/** The parameters of `GET /pay`. */
export interface HostedRequest {
  /** Text, as in the URL. */
  readonly amount: string;
  readonly crypto: CryptoSymbol;
  /** Ignored with a link, which has its own currency. */
  readonly currency: FiatCurrency;
  readonly linkSlug: string | null;
}

/** The price to pay, which depends only on the request and the link. */
export interface HostedPrice {
  readonly crypto: CryptoSymbol;
  readonly cents: bigint;
  readonly currency: FiatCurrency;
}

/**
 * The price of a request; a link's own price and currency win. Throws `INVALID_AMOUNT` for an
 * amount that cannot be parsed, even if the link has a fixed price.
 */
export function priceOf({ amount, crypto, currency }: HostedRequest, link: PaymentLink | null): HostedPrice {
  const requested = readCents(amount);
  if (link === null) return { crypto, cents: requested, currency };
  return { crypto, cents: link.price.kind === 'fixed' ? link.price.cents : requested, currency: link.currency };
}

/**
 * Throws `INVALID_CRYPTO` for a coin that the link does not accept, `INVALID_AMOUNT` for an amount
 * outside its bounds.
 */
export function requireAllowed({ crypto, cents, currency }: HostedPrice, { cryptos, price }: PaymentLink): void {
  if (cryptos.length > 0 && !cryptos.includes(crypto)) {
    throw new TerminalError(
      'INVALID_CRYPTO',
      `This payment link can be paid in ${cryptos.join(', ')}, not in ${crypto}`,
    );
  }
  if (price.kind === 'fixed') return;
  const { minCents, maxCents } = price;
  if (minCents !== null && cents < minCents) {
    throw new TerminalError('INVALID_AMOUNT', `amount must be at least ${centsText(minCents)} ${currency}`);
  }
  if (maxCents !== null && cents > maxCents) {
    throw new TerminalError('INVALID_AMOUNT', `amount may be at most ${centsText(maxCents)} ${currency}`);
  }
}

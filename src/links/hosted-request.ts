import type { CryptoSymbol, FiatCurrency } from '../../machines/index.ts';
import { TerminalError } from '../errors.ts';
import { centsText, readCents } from './amount.ts';
import type { PaymentLink } from './link.ts';

/** What `GET /pay` is asked for. */
export interface HostedRequest {
  /** As text, as it stands in the address. */
  readonly amount: string;
  readonly crypto: CryptoSymbol;
  /** Ignored when there is a link: its own currency counts. */
  readonly currency: FiatCurrency;
  readonly linkSlug: string | null;
}

/** What is to be paid: the same for everybody who asks for the same. */
export interface HostedPrice {
  readonly crypto: CryptoSymbol;
  readonly cents: bigint;
  readonly currency: FiatCurrency;
}

/**
 * What the request comes to; the link decides where there is one. Throws `INVALID_AMOUNT` for a text that is no amount, also
 * where the link has a price of its own.
 */
export function priceOf({ amount, crypto, currency }: HostedRequest, link: PaymentLink | null): HostedPrice {
  const asked = readCents(amount);
  if (link === null) return { crypto, cents: asked, currency };
  return { crypto, cents: link.price.kind === 'fixed' ? link.price.cents : asked, currency: link.currency };
}

/** Throws `INVALID_CRYPTO` for a coin the link does not take, `INVALID_AMOUNT` for an amount outside its bounds. */
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

import { ASSETS, type CryptoSymbol, type FiatCurrency } from '../../machines/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { divideUp, formatDecimal, multiply, parsePositiveDecimal, roundHalfUp, tenToThe } from './decimal.ts';

export interface QuoteRequest {
  /** Plain decimal above zero with at most 2 places, as returned by `parseFiatAmount`. */
  readonly amountFiat: string;
  readonly currency: FiatCurrency;
  readonly symbol: CryptoSymbol;
  /** USD per unit of the fiat currency; "1" for USD. */
  readonly fiatUsd: string;
  /** USD per whole coin. */
  readonly cryptoUsd: string;
}

/** What the customer owes. Decimal strings have no trailing zeros. */
export interface QuotedAmounts {
  readonly amountFiat: string;
  /** Rounded half up to cents. For display and statistics; not used for the amount due. */
  readonly amountUsd: string;
  /** In whole coins, rounded up to the coin's quote decimals. */
  readonly amountCrypto: string;
  /** The same amount in base units of the chain. */
  readonly dueBaseUnits: bigint;
}

/**
 * The amount due must be exact as a JSON number. A double (IEEE 754 binary64) preserves every
 * decimal of 15 significant digits, but not every one of 16, so 2^53 units would be too many.
 */
export const MAX_QUOTE_UNITS = 10n ** 15n - 1n;

/**
 * Converts a fiat amount into the coin exactly: amount × fiatUsd ÷ cryptoUsd, rounded up once at
 * the end. Throws a `TerminalError` INVALID_AMOUNT when the result is too large to be exact as a
 * JSON number, and a `RangeError` when an argument is not a positive decimal.
 */
export function quote({ amountFiat, currency, symbol, fiatUsd, cryptoUsd }: QuoteRequest): QuotedAmounts {
  const fiat = parsePositiveDecimal(amountFiat, 'amountFiat');
  const rate = parsePositiveDecimal(fiatUsd, 'fiatUsd');
  if (fiat.scale > 2) throw new RangeError('amountFiat must have at most 2 decimals');
  if (currency === 'USD' && formatDecimal(rate) !== '1') throw new RangeError('fiatUsd of USD must be 1');
  const usd = multiply(fiat, rate);
  const { decimals, quoteDecimals } = ASSETS[symbol];
  const quoteUnits = divideUp(usd, parsePositiveDecimal(cryptoUsd, 'cryptoUsd'), quoteDecimals);
  if (quoteUnits > MAX_QUOTE_UNITS) {
    throw new TerminalError(
      'INVALID_AMOUNT',
      `${formatDecimal(fiat)} ${currency} is more ${symbol} than one payment can have; request a smaller amount.`,
    );
  }
  return {
    amountFiat: formatDecimal(fiat),
    amountUsd: formatDecimal(roundHalfUp(usd, 2)),
    amountCrypto: formatDecimal({ coefficient: quoteUnits, scale: quoteDecimals }),
    dueBaseUnits: quoteUnits * tenToThe(decimals - quoteDecimals),
  };
}

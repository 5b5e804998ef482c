import { CRYPTO_SYMBOLS, type CryptoSymbol, FIAT_CURRENCIES, type FiatCurrency } from '../../../machines/index.ts';
import { plainDecimal } from '../decimal-text.ts';
import { bad, good, jsonObject, type Parsed } from './parsers.ts';

/** A symbol with a price in USD: every coin, token and currency except USD. */
export type PricedSymbol = CryptoSymbol | Exclude<FiatCurrency, 'USD'>;
/** USD per whole unit, as plain decimals above zero. */
export type FixedRates = { readonly [S in PricedSymbol]?: string };

/** The operator's rates: inline in the setting, or in a file that is reloaded on change. */
export type FixedRatesSetting =
  | { readonly kind: 'inline'; readonly rates: FixedRates }
  | { readonly kind: 'file'; readonly path: string };

export const PRICED_SYMBOLS: readonly PricedSymbol[] = [
  ...CRYPTO_SYMBOLS,
  ...FIAT_CURRENCIES.filter((currency) => currency !== 'USD'),
];

/**
 * Parses `{"LTC": "80.5", "EUR": 1.08}`: USD per whole unit. `problem` names every invalid entry
 * and is phrased as the end of a sentence about the text.
 */
export function parseFixedRates(json: string): Parsed<FixedRates> {
  const given = jsonObject(json, EXAMPLE);
  if (!given.ok) return given;
  const rates: { [S in PricedSymbol]?: string } = {};
  const problems: string[] = [];
  for (const [symbol, rate] of Object.entries(given.value)) {
    const usd = decimalOf(rate);
    if (symbol === 'USD') problems.push('has "USD", which is always 1; remove it');
    else if (!isPricedSymbol(symbol)) problems.push(`has the unknown symbol ${JSON.stringify(symbol)}; ${KNOWN}`);
    else if (usd === null)
      problems.push(`has no usable rate for ${symbol}: give USD per unit, above 0, such as "80.5"`);
    else rates[symbol] = usd;
  }
  if (problems.length === 0 && Object.keys(rates).length === 0) problems.push(`has no rates; ${EXAMPLE}`);
  return problems.length === 0 ? good(rates) : bad(problems.join(', and '));
}

// Helpers

const EXAMPLE = 'use a form such as {"LTC":"80.5","EUR":"1.08"}';
const KNOWN = `known symbols are ${PRICED_SYMBOLS.join(', ')}`;
const PLAIN_DECIMAL = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,30})?$/;

function isPricedSymbol(symbol: string): symbol is PricedSymbol {
  return (PRICED_SYMBOLS as readonly string[]).includes(symbol);
}

/** A rate as a plain decimal, or null when it is not a number above zero. */
function decimalOf(rate: unknown): string | null {
  const text = typeof rate === 'number' && Number.isFinite(rate) ? plainDecimal(rate) : rate;
  if (typeof text !== 'string' || !PLAIN_DECIMAL.test(text)) return null;
  return /[1-9]/.test(text) ? text : null;
}

import { ASSETS, type CryptoSymbol, type FiatCurrency } from '../../machines/index.ts';
import { multiply, parsePositiveDecimal, tenToThe } from './decimal.ts';
import type { RateTable } from './rate-table.ts';

/**
 * The value of base units of a coin at the current rate, in cents, rounded half up: for display
 * only. Null without a rate.
 */
export function fiatCents(
  rates: RateTable,
  { baseUnits, symbol }: { readonly baseUnits: bigint; readonly symbol: CryptoSymbol },
  currency: FiatCurrency,
): bigint | null {
  const [crypto, fiat] = [rates.get(symbol), rates.getFiat(currency)];
  if (crypto === null || fiat === null) return null;
  const amount = { coefficient: baseUnits, scale: ASSETS[symbol].decimals };
  const usd = multiply(amount, parsePositiveDecimal(crypto.usd, 'crypto.usd'));
  const unit = parsePositiveDecimal(fiat.usd, 'fiat.usd');
  const [value, divisor] = [usd.coefficient * tenToThe(unit.scale + 2), unit.coefficient * tenToThe(usd.scale)];
  return (value + divisor / 2n) / divisor;
}

import { ASSETS, formatCoins, isCryptoSymbol } from '../../../machines/index.ts';

/**
 * Details of an alert with coins in place of base units: of the coin they name, otherwise of the
 * payment's. What is in no known coin stays as it is.
 *
 * @param crypto The coin of the payment it is about; null for none.
 */
export function readableDetail(detail: string, crypto: string | null): string {
  return detail
    .replace(/\b(\d+) base units of (\S+)/g, (whole, units: string, symbol: string) => coins(units, symbol) ?? whole)
    .replace(/\b(\d+) base units\b(?! of)/g, (whole, units: string) => coins(units, crypto) ?? whole)
    .replace(/\b(\d+) are left on the chain/, (whole, units: string) => {
      const left = coins(units, crypto);
      return left === null ? whole : `${left} left on the chain`;
    });
}

// Helpers

function coins(baseUnits: string, symbol: string | null): string | null {
  if (symbol === null || !isCryptoSymbol(symbol)) return null;
  return `${formatCoins(BigInt(baseUnits), ASSETS[symbol].decimals)} ${symbol}`;
}

import { ASSETS } from '../../../machines/index.ts';
import type { CoinUnit } from '../types.ts';

/** The coin of the amounts in a context; null for a context without one. */
export function coinUnitOf(context: unknown): CoinUnit | null {
  if (typeof context !== 'object' || context === null || !('crypto' in context)) return null;
  const asset = Object.values(ASSETS).find(({ symbol }) => symbol === context.crypto);
  return asset === undefined ? null : { symbol: asset.symbol, decimals: asset.decimals };
}

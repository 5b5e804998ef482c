import { parseCoins } from '../../vocabulary/amount.ts';
import { ASSETS, type Chain, type CryptoSymbol } from '../../vocabulary/asset.ts';
import { requireWhole } from './require-whole.ts';

/** Blocks in 12 hours. With more, received coins would stay unconfirmed half a day or forever. */
const MAX_CONFIRMATIONS: { readonly [C in Chain]: number } = {
  bitcoin: 72,
  litecoin: 288,
  dogecoin: 720,
  dash: 288,
  ethereum: 3_600,
};

/** Any amount in USD has fewer decimals; quoted ones have two. */
const USD_DECIMALS = 40;

const MIDDLE_TIER_FROM_USD = parseCoins('1000', USD_DECIMALS);

const TOP_TIER_ABOVE_USD = parseCoins('10000', USD_DECIMALS);

/** For an amount below 1,000 USD, from 1,000 to 10,000 USD, and above. */
const CONFIRMATIONS: { readonly [C in Chain]: readonly [small: number, middle: number, large: number] } = {
  bitcoin: [1, 2, 6],
  litecoin: [3, 6, 12],
  dogecoin: [6, 20, 40],
  dash: [2, 6, 10],
  ethereum: [12, 32, 64],
};

/**
 * Required confirmations by chain and amount. A merchant's minimum can raise the number, up to the
 * blocks of 12 hours, but never lower it.
 */
export function confirmationsRequired(
  symbol: CryptoSymbol,
  amountUsd: string,
  merchantMinimum: number | null = null,
): number {
  const usd = parseCoins(amountUsd, USD_DECIMALS, 'amountUsd');
  const { chain } = ASSETS[symbol];
  const [small, middle, large] = CONFIRMATIONS[chain];
  const byWorth = () => {
    if (usd < MIDDLE_TIER_FROM_USD) return small;
    return usd > TOP_TIER_ABOVE_USD ? large : middle;
  };
  if (merchantMinimum === null) return byWorth();
  requireWhole('the merchant minimum of confirmations', merchantMinimum, 1, Number.MAX_SAFE_INTEGER);
  return Math.max(byWorth(), Math.min(merchantMinimum, MAX_CONFIRMATIONS[chain]));
}

import type { UnixMs } from '../../../machines/index.ts';
import type { TransactionView } from '../../../src/payments/index.ts';
import type { PlanName } from './plans.ts';

/** One payment of the run: what its payer means to do, and what they have done. */
export interface ChaosPayment {
  readonly number: number;
  readonly network: 'litecoin' | 'ethereum' | 'simulated';
  readonly crypto: 'LTC' | 'ETH' | 'WBTC';
  readonly plan: PlanName;
  readonly id: string;
  readonly address: string;
  /** In 1e-8 of a coin, of every coin. */
  readonly dueLitoshi: bigint;
  readonly expiresAt: UnixMs;
  /** Its answer to a request was lost, and repeating it may have done it twice: judged by what the chain says alone. */
  isUncertain: boolean;
}

const LITOSHI_PER_COIN = 1e8;

export function paymentOf(
  plan: Pick<ChaosPayment, 'number' | 'network' | 'crypto' | 'plan'>,
  { transaction_id: id, deposit_address: address, amount_crypto, expires_at }: TransactionView,
): ChaosPayment {
  const dueLitoshi = litoshiOf(amount_crypto);
  return { ...plan, id, address, dueLitoshi, expiresAt: Date.parse(expires_at), isUncertain: false };
}

/** Amounts have eight decimals at most, so their numbers are exact after rounding. */
export function litoshiOf(coins: number): bigint {
  return BigInt(Math.round(coins * LITOSHI_PER_COIN));
}

/** A share of what is due. The percentages of the plans have one decimal at most; the last part takes what rounding left. */
export function shareOf(due: bigint, percents: readonly number[], place: number): bigint {
  const part = (percent: number) => (due * BigInt(Math.round(percent * 10)) + 999n) / 1_000n;
  return part(percents[place] ?? 0);
}

import fc from 'fast-check';
import {
  ASSETS,
  type CryptoSymbol,
  DAY_MS,
  formatCoins,
  HOUR_MS,
  MINUTE_MS,
  type TransactionTerms,
} from '../../machines/index.ts';
import { derivedId } from '../platform/ids.ts';

/** USD per whole coin. One coin per kind: UTXO-based, account-based, and a token. */
const PRICES = { LTC: 80n, ETH: 2_500n, USDC: 1n } as const satisfies Partial<Record<CryptoSymbol, bigint>>;
export type Sold = keyof typeof PRICES;
export const SOLD: readonly Sold[] = ['LTC', 'ETH', 'USDC'];

/** Fixed, so that a counterexample stays the same. */
export const CREATED_AT = Date.UTC(2026, 0, 5, 9);
const TOLERANCE_PER_MILLE = 5n;

export interface PaymentOrder extends Pick<TransactionTerms, 'transactionId' | 'depositAddress' | 'createdAt'> {
  readonly crypto: Sold;
  readonly cents: bigint;
}

/**
 * Terms of a payment: a price of 1 to 5,000 USD in a coin, with the usual payment window and
 * confirmations.
 */
export const paymentTerms: fc.Arbitrary<TransactionTerms> = fc
  .record({
    crypto: fc.constantFrom(...SOLD),
    cents: fc.bigInt({ min: 100n, max: 500_000n }),
    number: fc.nat({ max: 2 ** 31 - 1 }),
  })
  .map(({ number, ...terms }) => {
    const transactionId = derivedId('txn', 'history', number);
    return agreeOn({ ...terms, transactionId, depositAddress: `address-${number}`, createdAt: CREATED_AT });
  });

/** The terms the service would set for a price in US cents. */
export function agreeOn({ crypto, cents, ...given }: PaymentOrder): TransactionTerms {
  const asset = ASSETS[crypto];
  const due = (cents * 10n ** BigInt(asset.decimals)) / (100n * PRICES[crypto]);
  const amount = formatCoins(cents, 2);
  const isAccountBased = asset.chain === 'ethereum';
  return {
    ...given,
    merchantId: derivedId('mer', 'history'),
    mode: 'live',
    type: 'basic',
    crypto,
    network: `${asset.chain}-mainnet`,
    dueBaseUnits: due.toString(),
    toleranceBaseUnits: ((due * TOLERANCE_PER_MILLE) / 1_000n).toString(),
    confirmationsRequired: asset.confirmations[cents < 100_000n ? 0 : 1],
    confirmationDeadlineMs: isAccountBased ? 6 * HOUR_MS : DAY_MS,
    lossSettlesMs: 20 * MINUTE_MS,
    windowMs: (asset.stable ? 60 : 30) * MINUTE_MS,
    quote: {
      amountFiat: amount,
      currencyFiat: 'USD',
      amountUsd: amount,
      amountCrypto: formatCoins(due, asset.decimals),
      fiatToUsdRate: '1',
      exchangeRate: PRICES[crypto].toString(),
    },
  };
}

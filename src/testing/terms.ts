import fc from 'fast-check';
import {
  ASSETS,
  type CryptoSymbol,
  confirmationDeadlineMs,
  confirmationsRequired,
  formatCoins,
  lossSettlesMs,
  type TransactionTerms,
  toleranceBaseUnits,
  windowMs,
} from '../../machines/index.ts';
import { derivedId } from '../platform/ids.ts';

/** USD per whole coin. One coin per kind: UTXO-based, account-based, and a token. */
const PRICES = { LTC: 80n, ETH: 2_500n, USDC: 1n } as const satisfies Partial<Record<CryptoSymbol, bigint>>;
export type PricedCrypto = keyof typeof PRICES;
export const PRICED_CRYPTOS: readonly PricedCrypto[] = ['LTC', 'ETH', 'USDC'];

/** Fixed, so that a counterexample stays the same. */
export const CREATED_AT = Date.UTC(2026, 0, 5, 9);
const TOLERANCE_BASIS_POINTS = 50;

export interface PaymentOrder extends Pick<TransactionTerms, 'transactionId' | 'depositAddress' | 'createdAt'> {
  readonly crypto: PricedCrypto;
  readonly cents: bigint;
}

/**
 * Terms of a payment: a price of 1 to 5,000 USD in a coin, with the usual payment window and
 * confirmations.
 */
export const paymentTerms: fc.Arbitrary<TransactionTerms> = fc
  .record({
    crypto: fc.constantFrom(...PRICED_CRYPTOS),
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
  const network = `${asset.chain}-mainnet`;
  return {
    ...given,
    merchantId: derivedId('mer', 'history'),
    mode: 'live',
    type: 'basic',
    crypto,
    network,
    dueBaseUnits: due.toString(),
    toleranceBaseUnits: toleranceBaseUnits(due, TOLERANCE_BASIS_POINTS).toString(),
    confirmationsRequired: confirmationsRequired(crypto, amount),
    confirmationDeadlineMs: confirmationDeadlineMs(crypto),
    lossSettlesMs: lossSettlesMs(network),
    windowMs: windowMs(crypto, null),
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

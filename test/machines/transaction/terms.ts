import { DAY_MS, MINUTE_MS, type TransactionTerms } from '../../../machines/index.ts';

/**
 * The agreed payment that the tests of this folder share: 0.001 LTC within half an hour, two
 * confirmations.
 */
export const DUE = 100_000n;
export const TOLERANCE = 500n;
/** The least sum that pays it. */
export const REQUIRED = DUE - TOLERANCE;
export const OPENED_AT = Date.UTC(2026, 2, 1, 12);
const WINDOW_MS = 30 * MINUTE_MS;
export const CLOSES_AT = OPENED_AT + WINDOW_MS;
export const DEADLINE_MS = DAY_MS;
export const SETTLES_MS = 20 * MINUTE_MS;
export const CONFIRMATIONS = 2;

export const TERMS: TransactionTerms = {
  transactionId: 'tx_example',
  merchantId: 'mer_example',
  mode: 'test',
  type: 'basic',
  crypto: 'LTC',
  network: 'simulated-ltc',
  depositAddress: 'simulated-address',
  dueBaseUnits: DUE.toString(),
  toleranceBaseUnits: TOLERANCE.toString(),
  confirmationsRequired: CONFIRMATIONS,
  confirmationDeadlineMs: DEADLINE_MS,
  lossSettlesMs: SETTLES_MS,
  createdAt: OPENED_AT,
  windowMs: WINDOW_MS,
  quote: {
    amountFiat: '0.09',
    currencyFiat: 'EUR',
    amountUsd: '0.10',
    amountCrypto: '0.001',
    fiatToUsdRate: '1.1111',
    exchangeRate: '100',
  },
};

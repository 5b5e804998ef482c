import { type Static, Type } from 'typebox';
import {
  CRYPTO_SYMBOLS,
  FIAT_CURRENCIES,
  MODES,
  SECOND_MS,
  TRANSACTION_EXCEPTIONS,
  TRANSACTION_STATUSES,
} from '../../../../machines/index.ts';
import { MAX_ADVANCE_MS } from '../../../payments/index.ts';
import { oneOf, whole } from '../schema.ts';

/** Schemas that several areas of the merchant console share. */

export const Mode = oneOf(MODES);
export type Mode = Static<typeof Mode>;

export const OfMode = Type.Object({ mode: Mode });

export const CryptoSymbol = oneOf(CRYPTO_SYMBOLS);
export const FiatCurrency = oneOf(FIAT_CURRENCIES);
export const TransactionStatus = oneOf(TRANSACTION_STATUSES);
export const TransactionException = oneOf(TRANSACTION_EXCEPTIONS);
/** By how much the clock of a test payment or schedule is moved. */
export const ClockSeconds = whole(1, MAX_ADVANCE_MS / SECOND_MS);

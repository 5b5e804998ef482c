import { expect, test } from 'vitest';
import { COMMITTED } from '../api/openapi-document.ts';
import {
  CRYPTO_SYMBOLS,
  FIAT_CURRENCIES,
  PLAN_TIERS,
  TRANSACTION_EXCEPTIONS,
  TRANSACTION_STATUSES,
} from './tables/values.ts';
import { PAYMENT_EVENTS } from './tables/webhook.ts';

interface Described {
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Described>>;
}

const schemas = COMMITTED.components.schemas as Readonly<Record<string, Described>>;

test.each([
  ['CryptoSymbol', CRYPTO_SYMBOLS, schemas.CryptoSymbol],
  ['FiatCurrency', FIAT_CURRENCIES, schemas.FiatCurrency],
  ['TransactionStatus', TRANSACTION_STATUSES, schemas.TransactionStatus],
  ['TransactionException', TRANSACTION_EXCEPTIONS, schemas.TransactionException],
  ['PlanTier', PLAN_TIERS, schemas.PlanTier],
  ['the payment events', Object.keys(PAYMENT_EVENTS), schemas.PaymentWebhook?.properties?.event],
])('%s has the values of the interface and no other', (_name, values, described) => {
  expect([...(described?.enum ?? [])].sort()).toEqual([...values].sort());
});

import { expect, test } from 'vitest';
import { COMMITTED } from '../http/api/document/openapi-document.ts';
import {
  CRYPTO_SYMBOLS,
  FIAT_CURRENCIES,
  INTERVALS,
  PLAN_TIERS,
  SCHEDULE_STATUSES,
  TRANSACTION_EXCEPTIONS,
  TRANSACTION_STATUSES,
} from './tables/values.ts';
import { PAYMENT_EVENTS, RECURRING_EVENTS, STOP_REASONS } from './tables/webhook.ts';

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
  ['ScheduleStatus', SCHEDULE_STATUSES, schemas.ScheduleStatus],
  ['Interval', INTERVALS, schemas.Interval],
  ['the recurring events', RECURRING_EVENTS, schemas.RecurringWebhook?.properties?.event],
  ['the reasons of recurring.stopped', STOP_REASONS, schemas.RecurringWebhook?.properties?.reason],
  ['the payment events', Object.keys(PAYMENT_EVENTS), schemas.PaymentWebhook?.properties?.event],
])('%s has exactly the values of the API', (_name, values, described) => {
  expect([...(described?.enum ?? [])].sort()).toEqual([...values].sort());
});

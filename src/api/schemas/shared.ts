import { ErrorEnvelope } from './error.ts';
import { HealthReport } from './health.ts';
import { ChainReport, HealthDetailsReport } from './health-details.ts';
import { CryptoSymbol, FiatCurrency, TransactionException, TransactionStatus } from './primitives.ts';
import { PaymentSplit, Transaction, TransactionEnvelope } from './transaction.ts';
import { Pagination, TransactionListEnvelope } from './transaction-list.ts';

/** Schemas that routes refer to by their `$id`; they become the components of the OpenAPI description. */
export const SHARED_SCHEMAS = [
  CryptoSymbol,
  FiatCurrency,
  TransactionStatus,
  TransactionException,
  PaymentSplit,
  Transaction,
  TransactionEnvelope,
  Pagination,
  TransactionListEnvelope,
  ErrorEnvelope,
  HealthReport,
  ChainReport,
  HealthDetailsReport,
] as const;

import type { Caller } from '../merchants/index.ts';
import type {
  ChainStatus,
  Created,
  CreateRequest,
  ListRequest,
  Scope,
  SimulateRequest,
  TransactionPage,
  TransactionView,
} from '../payments/index.ts';

/** What the merchant API can do with payments. The composition root binds these to the use cases of `payments`. */
export interface Payments {
  create(caller: Caller, request: CreateRequest, idempotencyKey: string | null): Promise<Created>;
  get(scope: Scope, transactionId: string): Promise<TransactionView>;
  list(scope: Scope, request: ListRequest): Promise<TransactionPage>;
  simulate(scope: Scope, transactionId: string, request: SimulateRequest): Promise<TransactionView>;
}

/** How the service is doing, for `GET /health`. */
export interface Health {
  /** `degraded`: payments are taken, but something beside the database does not answer. */
  readonly status: 'ok' | 'degraded';
  readonly databaseAnswers: boolean;
}

/** The same in detail, for `GET /health/details`. */
export interface HealthDetails {
  /** `degraded`: the bus does not answer, or a network is not being watched. */
  readonly status: 'ok' | 'degraded';
  readonly chains: readonly ChainStatus[];
  /** How many payments belong to no running transaction. */
  readonly strayPayments: number;
}

/** What whoever runs the service may ask for. */
export interface OperatorAccess {
  /** Null: nobody may. */
  readonly token: string | null;
  /** Rejects with `RetryableError` without database. */
  readDetails(): Promise<HealthDetails>;
}

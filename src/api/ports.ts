import type { UnixMs } from '../../machines/index.ts';
import type { AccountView, CheckoutRequest, InvoicePage, Plan } from '../billing/index.ts';
import type { HostedRequest, Opener } from '../links/index.ts';
import type { BounceReport } from '../mail/index.ts';
import type { Caller, Cryptocurrency } from '../merchants/index.ts';
import type {
  ChainStatus,
  Created,
  CreateRequest,
  DetailedRequest,
  ListRequest,
  PaymentDecision,
  Scope,
  SimulateRequest,
  Stats,
  StatsRequest,
  TransactionPage,
  TransactionView,
} from '../payments/index.ts';
import type { RateTable } from '../rates/index.ts';
import type {
  PeriodPage,
  ScheduleDecision,
  ScheduleListRequest,
  SchedulePage,
  ScheduleRequest,
  ScheduleSimulation,
  ScheduleView,
} from '../recurring/index.ts';
import type {
  DeliveryListRequest,
  DeliveryPage,
  EndpointChanges,
  EndpointWithSecret,
  LoggedDelivery,
  NewEndpoint,
  Redelivery,
  Replay,
  SecretRotation,
  SentTestEvent,
  WebhookEndpoint,
  WebhookEventType,
} from '../webhooks/index.ts';

/** Headers of a create request. */
export interface CreateHeaders {
  readonly idempotencyKey: string | null;
  /**
   * IP address of the shopper, who may have one open payment; null when that rule does not apply.
   */
  readonly clientAddress: string | null;
}

/**
 * What the API needs of payments. The composition root binds these to the use cases of `payments`.
 */
export interface Payments {
  create(caller: Caller, request: CreateRequest, headers: CreateHeaders): Promise<Created>;
  createDetailed(caller: Caller, request: DetailedRequest, headers: CreateHeaders): Promise<Created>;
  get(scope: Scope, transactionId: string): Promise<TransactionView<string>>;
  list(scope: Scope, request: ListRequest): Promise<TransactionPage>;
  stats(scope: Scope, request: StatsRequest): Promise<Stats>;
  /**
   * The same decision with the same API key is idempotent. Throws `INVALID_STATE` when the payment
   * has moved on or does not await a decision.
   */
  decide(
    caller: Caller,
    transactionId: string,
    decision: { readonly action: PaymentDecision; readonly reason: string; readonly seenStep: number },
  ): Promise<TransactionView<string>>;
  simulate(scope: Scope, transactionId: string, request: SimulateRequest): Promise<TransactionView<string>>;
}

/** `GET /pay`, and its error pages for people. */
export interface HostedCheckout {
  /** Starts a payment, or finds the one this shopper has open, and returns the URL of its page. */
  open(opener: Opener, request: HostedRequest): Promise<string>;
  /** The page and its headers, which a browser gets instead of the error envelope. */
  problemPage(problem: HostedProblem): {
    readonly markup: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

/** A failure of `GET /pay`. */
export interface HostedProblem {
  readonly code: string;
  readonly message: string;
  /** The request field that is the cause; null when none is named. */
  readonly field: string | null;
  readonly requestId: string;
  /** Seconds after which the same request may succeed; null when a retry is pointless. */
  readonly retrySeconds: number | null;
  /** Page of the payment that the shopper has open; null when that is not the problem. */
  readonly openPaymentUrl: string | null;
  /**
   * The `lang` query parameter and the browser's `Accept-Language`, which select
   * the language of the page.
   */
  readonly lang: unknown;
  readonly acceptLanguage: string | undefined;
}

/** What the API needs of plans. The composition root binds these to the use cases of `billing`. */
export interface Billing {
  account(caller: Caller): Promise<AccountView>;
  plans(): Promise<readonly Plan[]>;
  invoices(scope: Scope, page: { readonly limit: number; readonly offset: number }): Promise<InvoicePage>;
  checkout(caller: Caller, request: CheckoutRequest): Promise<TransactionView<string>>;
}

/**
 * What the API needs of webhook endpoints. The composition root binds these to
 * the use cases of `webhooks`.
 */
export interface WebhookEndpoints {
  list(caller: Caller): Promise<readonly WebhookEndpoint[]>;
  get(caller: Caller, endpointId: string): Promise<WebhookEndpoint>;
  create(caller: Caller, wanted: Omit<NewEndpoint, 'merchantId'>): Promise<EndpointWithSecret>;
  change(caller: Caller, endpointId: string, changes: EndpointChanges): Promise<WebhookEndpoint>;
  remove(caller: Caller, endpointId: string): Promise<void>;
  regenerateSecret(caller: Caller, endpointId: string): Promise<EndpointWithSecret>;
  rotateSecret(
    caller: Caller,
    endpointId: string,
    rotation: Pick<SecretRotation, 'overlapHours'>,
  ): Promise<EndpointWithSecret>;
  sendTest(caller: Caller, endpointId: string, event: WebhookEventType): Promise<SentTestEvent>;
}

/**
 * What the API needs of webhook deliveries. The composition root binds these to
 * the use cases of `webhooks`.
 */
export interface WebhookLog {
  list(caller: Caller, endpointId: string, request: DeliveryListRequest): Promise<DeliveryPage>;
  get(caller: Caller, deliveryId: string): Promise<LoggedDelivery>;
  redeliver(caller: Caller, deliveryId: string): Promise<Redelivery>;
  replay(caller: Caller, endpointId: string, since: UnixMs): Promise<Replay>;
  getReplay(caller: Caller, replayId: string): Promise<Replay>;
  cancelReplay(caller: Caller, replayId: string): Promise<Replay>;
}

/**
 * What the API needs of recurring payment requests. Each throws `SCHEDULE_NOT_FOUND` for
 * those of other merchants.
 */
export interface Recurring {
  /**
   * Throws what a payment with the same terms would throw, `MERCHANT_NOT_APPROVED` and
   * `RECIPIENT_LIMIT_REACHED`.
   */
  create(
    caller: Caller,
    request: ScheduleRequest,
    idempotencyKey: string | null,
  ): Promise<{ readonly schedule: ScheduleView; readonly replayed: boolean }>;
  get(scope: Scope, scheduleId: string): Promise<ScheduleView>;
  list(scope: Scope, request: ScheduleListRequest): Promise<SchedulePage>;
  /** Newest first. */
  periods(
    scope: Scope,
    scheduleId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<PeriodPage>;
  /**
   * Throws `INVALID_STATE` when the schedule's state does not allow it, `RECIPIENT_LIMIT_REACHED`
   * when another mail would exceed the limit.
   */
  decide(scope: Scope, scheduleId: string, decision: ScheduleDecision): Promise<ScheduleView>;
  /**
   * For test keys. Throws `INVALID_STATE` when the schedule's state does not allow it,
   * `INVALID_REQUEST` for a time out of range.
   */
  simulate(scope: Scope, scheduleId: string, simulation: ScheduleSimulation): Promise<ScheduleView>;
}

/** Bounces, as reported by the mail server or provider. */
export interface MailBounces {
  /** Null: bounce reports are not accepted. */
  readonly secret: string | null;
  /**
   * Processes a report of either kind; returns how many of its mails were sent by this service.
   * Throws `INVALID_REQUEST` for an invalid report.
   */
  take(report: BounceReport): Promise<{ readonly matched: number }>;
}

/** What the API needs of coins and their rates. */
export interface Market {
  ratesOf(mode: 'live' | 'test'): RateTable;
  cryptos(mode: 'live' | 'test'): readonly Cryptocurrency[];
  merchantCryptos(caller: Caller): Promise<readonly Cryptocurrency[]>;
}

/** Health of the service, for `GET /health`. */
export interface Health {
  /** `degraded`: payments are accepted, but something other than the database does not answer. */
  readonly status: 'ok' | 'degraded';
  readonly databaseAnswers: boolean;
}

/** Detailed health, for `GET /health/details`. */
export interface HealthDetails {
  /** `degraded`: the bus does not answer, or a network is not being watched. */
  readonly status: 'ok' | 'degraded';
  readonly chains: readonly ChainStatus[];
  /** Mode of each connected network, by its name. */
  readonly modes: ReadonlyMap<string, 'live' | 'test'>;
  /** Number of unassigned deposits: payments that belong to no running transaction. */
  readonly strayPayments: number;
}

/** What operators may request. */
export interface OperatorAccess {
  /** Null: no operator access. */
  readonly token: string | null;
  /** Rejects with `RetryableError` when the database is unavailable. */
  readDetails(): Promise<HealthDetails>;
}

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

/** What a create says beside its body. */
export interface CreateHeaders {
  readonly idempotencyKey: string | null;
  /** IP address of the shopper, who may have one open payment; null when nothing is said about that. */
  readonly clientAddress: string | null;
}

/** What the merchant API can do with payments. The composition root binds these to the use cases of `payments`. */
export interface Payments {
  create(caller: Caller, request: CreateRequest, headers: CreateHeaders): Promise<Created>;
  createDetailed(caller: Caller, request: DetailedRequest, headers: CreateHeaders): Promise<Created>;
  get(scope: Scope, transactionId: string): Promise<TransactionView<string>>;
  list(scope: Scope, request: ListRequest): Promise<TransactionPage>;
  stats(scope: Scope, request: StatsRequest): Promise<Stats>;
  /** The same decision of the same key is one. Throws `INVALID_STATE` when the payment has moved on or does not wait for it. */
  decide(
    caller: Caller,
    transactionId: string,
    decision: { readonly action: PaymentDecision; readonly reason: string; readonly seenStep: number },
  ): Promise<TransactionView<string>>;
  simulate(scope: Scope, transactionId: string, request: SimulateRequest): Promise<TransactionView<string>>;
}

/** What `GET /pay` does, and how it shows to a person that it cannot. */
export interface HostedCheckout {
  /** Starts a payment, or finds the one this shopper has open, and returns the address of its page. */
  open(opener: Opener, request: HostedRequest): Promise<string>;
  /** The page a browser gets in place of the error envelope, with the headers such pages carry. */
  problemPage(problem: HostedProblem): {
    readonly markup: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

/** A failure of `GET /pay`. */
export interface HostedProblem {
  readonly code: string;
  readonly message: string;
  /** The part of the request it is about, when the service names one. */
  readonly field: string | null;
  readonly requestId: string;
  /** Seconds after which the same request may succeed; null when repeating it is pointless. */
  readonly retrySeconds: number | null;
  /** The page of the payment that the shopper has open; null when that is not the problem. */
  readonly openPaymentUrl: string | null;
  /** The `lang` of the address and the `Accept-Language` of the browser: which language the page speaks. */
  readonly lang: unknown;
  readonly acceptLanguage: string | undefined;
}

/** What the merchant API can do with plans. The composition root binds these to the use cases of `billing`. */
export interface Billing {
  account(caller: Caller): Promise<AccountView>;
  plans(): Promise<readonly Plan[]>;
  invoices(scope: Scope, page: { readonly limit: number; readonly offset: number }): Promise<InvoicePage>;
  checkout(caller: Caller, request: CheckoutRequest): Promise<TransactionView<string>>;
}

/** What the merchant API can do with webhook endpoints. The composition root binds these to the use cases of `webhooks`. */
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

/** What the merchant API can do with what was sent. The composition root binds these to the use cases of `webhooks`. */
export interface WebhookLog {
  list(caller: Caller, endpointId: string, request: DeliveryListRequest): Promise<DeliveryPage>;
  get(caller: Caller, deliveryId: string): Promise<LoggedDelivery>;
  redeliver(caller: Caller, deliveryId: string): Promise<Redelivery>;
  replay(caller: Caller, endpointId: string, since: UnixMs): Promise<Replay>;
  getReplay(caller: Caller, replayId: string): Promise<Replay>;
  cancelReplay(caller: Caller, replayId: string): Promise<Replay>;
}

/** What the merchant API can do with recurring payment requests. Each throws `SCHEDULE_NOT_FOUND` for those of others. */
export interface Recurring {
  /** Throws what a payment of the same terms would throw, `MERCHANT_NOT_APPROVED` and `RECIPIENT_LIMIT_REACHED`. */
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
  /** Throws `INVALID_STATE` when it is not the time for it, `RECIPIENT_LIMIT_REACHED` when one mail more would be too many. */
  decide(scope: Scope, scheduleId: string, decision: ScheduleDecision): Promise<ScheduleView>;
  /** Of test keys. Throws `INVALID_STATE` when it is not the time for it, `INVALID_REQUEST` for a moment out of bounds. */
  simulate(scope: Scope, scheduleId: string, simulation: ScheduleSimulation): Promise<ScheduleView>;
}

/** A mail that could not be delivered, as whoever runs the mail server tells. */
export interface MailBounces {
  /** Null: bounces are not taken here. */
  readonly secret: string | null;
  /** A report as it came, of either kind; how many of the mails it names are ours. Throws `INVALID_REQUEST` for what is none. */
  take(report: BounceReport): Promise<{ readonly matched: number }>;
}

/** What the merchant API tells about coins and their rates. */
export interface Market {
  ratesOf(mode: 'live' | 'test'): RateTable;
  cryptos(mode: 'live' | 'test'): readonly Cryptocurrency[];
  merchantCryptos(caller: Caller): Promise<readonly Cryptocurrency[]>;
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
  /** Whose payments each connected network carries, by its name. */
  readonly modes: ReadonlyMap<string, 'live' | 'test'>;
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

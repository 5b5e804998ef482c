import { describeError, ERROR_CODES, type ErrorCode, isErrorCode } from '../error-codes.ts';
import * as account from './account.ts';
import * as market from './market.ts';
import * as links from './payment-links.ts';
import * as recurring from './recurring.ts';
import * as system from './system.ts';
import * as transactions from './transactions.ts';
import * as endpoints from './webhook-endpoints.ts';
import * as webhookLog from './webhook-log.ts';

export { describeWebhooks } from './webhooks.ts';

/**
 * Examples of the operations in the OpenAPI document, by operationId. Examples of errors are
 * derived from their codes. A test fails when an example is missing or does not match its schema.
 */
const EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  createTransaction: { request: transactions.CREATE_REQUEST, answers: { 201: transactions.PENDING_RESPONSE } },
  createDetailedTransaction: {
    request: transactions.CREATE_DETAILED_REQUEST,
    answers: { 201: transactions.DETAILED_RESPONSE },
  },
  getTransaction: { answers: { 200: transactions.COMPLETED_RESPONSE } },
  listTransactions: { answers: { 200: transactions.LIST_RESPONSE } },
  simulateTransaction: { request: transactions.SIMULATE_REQUEST, answers: { 200: transactions.AWAITING_RESPONSE } },
  decideTransaction: { request: transactions.DECISION_REQUEST, answers: { 200: transactions.COMPLETED_RESPONSE } },
  createPaymentLink: { request: links.CREATE_LINK_REQUEST, answers: { 201: links.NEW_LINK_RESPONSE } },
  listPaymentLinks: { answers: { 200: links.LINKS_RESPONSE } },
  getPaymentLink: { answers: { 200: links.LINK_RESPONSE } },
  closePaymentLink: { answers: { 200: links.CLOSED_LINK_RESPONSE } },
  createSchedule: {
    request: recurring.CREATE_SCHEDULE_REQUEST,
    answers: { 201: recurring.SCHEDULE_PENDING_RESPONSE },
  },
  listSchedules: { answers: { 200: recurring.SCHEDULES_RESPONSE } },
  getSchedule: { answers: { 200: recurring.SCHEDULE_ACTIVE_RESPONSE } },
  listSchedulePeriods: { answers: { 200: recurring.PERIODS_RESPONSE } },
  pauseSchedule: { answers: { 200: recurring.SCHEDULE_PAUSED_RESPONSE } },
  resumeSchedule: { answers: { 200: recurring.SCHEDULE_ACTIVE_RESPONSE } },
  cancelSchedule: { answers: { 200: recurring.SCHEDULE_CANCELLED_RESPONSE } },
  resendScheduleConfirmation: { answers: { 200: recurring.SCHEDULE_RESENT_RESPONSE } },
  simulateSchedule: {
    request: recurring.SIMULATE_SCHEDULE_REQUEST,
    answers: { 200: recurring.SCHEDULE_SIMULATED_RESPONSE },
  },
  getPrices: { answers: { 200: market.PRICES_RESPONSE } },
  listCryptocurrencies: { answers: { 200: market.CATALOGUE_RESPONSE } },
  listMerchantCryptocurrencies: { answers: { 200: market.MERCHANT_CATALOGUE_RESPONSE } },
  listBalances: { answers: { 200: account.BALANCES_RESPONSE } },
  getStats: { answers: { 200: account.STATS_RESPONSE } },
  getAccount: { answers: { 200: account.ACCOUNT_RESPONSE } },
  listPlans: { answers: { 200: account.PLANS_RESPONSE } },
  listInvoices: { answers: { 200: account.INVOICES_RESPONSE } },
  createBillingCheckout: { request: account.CHECKOUT_REQUEST, answers: { 201: transactions.BILLING_RESPONSE } },
  listWebhookEndpoints: { answers: { 200: endpoints.ENDPOINTS_RESPONSE } },
  getWebhookEndpoint: { answers: { 200: endpoints.ENDPOINT_RESPONSE } },
  createWebhookEndpoint: { request: endpoints.CREATE_ENDPOINT_REQUEST, answers: { 201: endpoints.SECRET_RESPONSE } },
  changeWebhookEndpoint: {
    request: endpoints.CHANGE_ENDPOINT_REQUEST,
    answers: { 200: endpoints.DISABLED_ENDPOINT_RESPONSE },
  },
  deleteWebhookEndpoint: { answers: { 200: endpoints.DELETED_ENDPOINT_RESPONSE } },
  regenerateWebhookSecret: { answers: { 200: endpoints.SECRET_RESPONSE } },
  rotateWebhookSecret: {
    request: endpoints.ROTATE_SECRET_REQUEST,
    answers: { 200: endpoints.ROTATED_SECRET_RESPONSE },
  },
  testWebhookEndpoint: { request: endpoints.TEST_ENDPOINT_REQUEST, answers: { 202: endpoints.TEST_EVENT_RESPONSE } },
  listWebhookDeliveries: { answers: { 200: webhookLog.DELIVERIES_RESPONSE } },
  getWebhookDelivery: { answers: { 200: webhookLog.DELIVERY_RESPONSE } },
  redeliverWebhook: { answers: { 202: webhookLog.REDELIVERY_RESPONSE } },
  replayWebhooks: { request: webhookLog.REPLAY_REQUEST, answers: { 202: webhookLog.REPLAY_RESPONSE } },
  getWebhookReplay: { answers: { 200: webhookLog.REPLAY_DONE_RESPONSE } },
  cancelWebhookReplay: { answers: { 200: webhookLog.REPLAY_CANCELLED_RESPONSE } },
  getHealth: { answers: { 200: system.HEALTH_RESPONSE, 503: system.UNHEALTHY_RESPONSE } },
  getHealthDetails: { answers: { 200: system.HEALTH_DETAILS_RESPONSE } },
};

/** Adds the examples to the operations of a generated document. */
export function addExamples(paths: DescribedPaths): void {
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    const own = EXAMPLES[operation.operationId ?? ''];
    const requested = operation.requestBody?.content?.[JSON_TYPE];
    if (requested !== undefined && own?.request !== undefined) requested.example = own.request;
    for (const [status, { description, content }] of Object.entries(operation.responses)) {
      const shown = content?.[JSON_TYPE];
      if (shown === undefined) continue;
      const example = own?.answers[status];
      if (example !== undefined) shown.example = example;
      else if (Number(status) >= 400) shown.examples = problemExamples(description);
    }
  }
}

// Helpers

const JSON_TYPE = 'application/json';

/** An example of every code named in the description of an error response. */
function problemExamples(description: string): Record<string, { readonly value: object }> {
  const codes = [...description.matchAll(/\b[A-Z]+(?:_[A-Z]+)*\b/g)].map(([word]) => word).filter(isErrorCode);
  return Object.fromEntries(codes.map((code) => [code, { value: problemExample(code) }]));
}

/** The default message, with the field where the code is always about the same one. */
function problemExample(code: ErrorCode): object {
  const { field } = describeError(code);
  const { message } = ERROR_CODES[code];
  return {
    success: false,
    error: code,
    message,
    ...(field === undefined ? {} : { details: [{ field, message }] }),
    ...(code.startsWith('ACTIVE_TRANSACTION') ? { existing_transaction: transactions.EXISTING_TRANSACTION } : {}),
  };
}

interface OperationExamples {
  readonly request?: object;
  readonly answers: Readonly<Record<string, object>>;
}

interface Media {
  example?: unknown;
  examples?: Readonly<Record<string, { readonly value: object }>>;
}

/** The part of an OpenAPI document that examples are added to. */
export type DescribedPaths = Readonly<
  Record<
    string,
    Readonly<
      Record<
        string,
        {
          readonly operationId?: string;
          readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> };
          readonly responses: Readonly<
            Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Media>> }>
          >;
        }
      >
    >
  >
>;

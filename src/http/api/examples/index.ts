import { ERROR_CODES, type ErrorCode, factsOf, isErrorCode } from '../error-codes.ts';
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
  createTransaction: { request: transactions.CREATE_REQUEST, answers: { 201: transactions.PENDING_ANSWER } },
  createDetailedTransaction: {
    request: transactions.CREATE_DETAILED_REQUEST,
    answers: { 201: transactions.DETAILED_ANSWER },
  },
  getTransaction: { answers: { 200: transactions.COMPLETED_ANSWER } },
  listTransactions: { answers: { 200: transactions.LIST_ANSWER } },
  simulateTransaction: { request: transactions.SIMULATE_REQUEST, answers: { 200: transactions.AWAITING_ANSWER } },
  decideTransaction: { request: transactions.DECISION_REQUEST, answers: { 200: transactions.COMPLETED_ANSWER } },
  createPaymentLink: { request: links.CREATE_LINK_REQUEST, answers: { 201: links.NEW_LINK_ANSWER } },
  listPaymentLinks: { answers: { 200: links.LINKS_ANSWER } },
  getPaymentLink: { answers: { 200: links.LINK_ANSWER } },
  closePaymentLink: { answers: { 200: links.CLOSED_LINK_ANSWER } },
  createSchedule: {
    request: recurring.CREATE_SCHEDULE_REQUEST,
    answers: { 201: recurring.SCHEDULE_PENDING_ANSWER },
  },
  listSchedules: { answers: { 200: recurring.SCHEDULES_ANSWER } },
  getSchedule: { answers: { 200: recurring.SCHEDULE_ACTIVE_ANSWER } },
  listSchedulePeriods: { answers: { 200: recurring.PERIODS_ANSWER } },
  pauseSchedule: { answers: { 200: recurring.SCHEDULE_PAUSED_ANSWER } },
  resumeSchedule: { answers: { 200: recurring.SCHEDULE_ACTIVE_ANSWER } },
  cancelSchedule: { answers: { 200: recurring.SCHEDULE_CANCELLED_ANSWER } },
  resendScheduleConfirmation: { answers: { 200: recurring.SCHEDULE_RESENT_ANSWER } },
  simulateSchedule: {
    request: recurring.SIMULATE_SCHEDULE_REQUEST,
    answers: { 200: recurring.SCHEDULE_SIMULATED_ANSWER },
  },
  getPrices: { answers: { 200: market.PRICES_ANSWER } },
  listCryptocurrencies: { answers: { 200: market.CATALOGUE_ANSWER } },
  listMerchantCryptocurrencies: { answers: { 200: market.MERCHANT_CATALOGUE_ANSWER } },
  listBalances: { answers: { 200: account.BALANCES_ANSWER } },
  getStats: { answers: { 200: account.STATS_ANSWER } },
  getAccount: { answers: { 200: account.ACCOUNT_ANSWER } },
  listPlans: { answers: { 200: account.PLANS_ANSWER } },
  listInvoices: { answers: { 200: account.INVOICES_ANSWER } },
  createBillingCheckout: { request: account.CHECKOUT_REQUEST, answers: { 201: transactions.BILLING_ANSWER } },
  listWebhookEndpoints: { answers: { 200: endpoints.ENDPOINTS_ANSWER } },
  getWebhookEndpoint: { answers: { 200: endpoints.ENDPOINT_ANSWER } },
  createWebhookEndpoint: { request: endpoints.CREATE_ENDPOINT_REQUEST, answers: { 201: endpoints.SECRET_ANSWER } },
  changeWebhookEndpoint: {
    request: endpoints.CHANGE_ENDPOINT_REQUEST,
    answers: { 200: endpoints.DISABLED_ENDPOINT_ANSWER },
  },
  deleteWebhookEndpoint: { answers: { 200: endpoints.DELETED_ENDPOINT_ANSWER } },
  regenerateWebhookSecret: { answers: { 200: endpoints.SECRET_ANSWER } },
  rotateWebhookSecret: {
    request: endpoints.ROTATE_SECRET_REQUEST,
    answers: { 200: endpoints.ROTATED_SECRET_ANSWER },
  },
  testWebhookEndpoint: { request: endpoints.TEST_ENDPOINT_REQUEST, answers: { 202: endpoints.TEST_EVENT_ANSWER } },
  listWebhookDeliveries: { answers: { 200: webhookLog.DELIVERIES_ANSWER } },
  getWebhookDelivery: { answers: { 200: webhookLog.DELIVERY_ANSWER } },
  redeliverWebhook: { answers: { 202: webhookLog.REDELIVERY_ANSWER } },
  replayWebhooks: { request: webhookLog.REPLAY_REQUEST, answers: { 202: webhookLog.REPLAY_ANSWER } },
  getWebhookReplay: { answers: { 200: webhookLog.REPLAY_DONE_ANSWER } },
  cancelWebhookReplay: { answers: { 200: webhookLog.REPLAY_CANCELLED_ANSWER } },
  getHealth: { answers: { 200: system.HEALTH_ANSWER, 503: system.UNHEALTHY_ANSWER } },
  getHealthDetails: { answers: { 200: system.HEALTH_DETAILS_ANSWER } },
};

/** Adds the examples to the operations of a generated document. */
export function addExamples(paths: DescribedPaths): void {
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    const own = EXAMPLES[operation.operationId ?? ''];
    const asked = operation.requestBody?.content?.[JSON_TYPE];
    if (asked !== undefined && own?.request !== undefined) asked.example = own.request;
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
  const { field } = factsOf(code);
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

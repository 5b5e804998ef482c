import type { Type } from '../check.ts';
import { ACCOUNT, BALANCES, HEALTH, INVOICES, PLANS, STATS } from './account.ts';
import type { ADDED_STATUSES } from './additions.ts';
import { CRYPTOCURRENCIES, PRICES } from './market.ts';
import { PAYMENT_LINKS } from './payment-links.ts';
import { RECURRING } from './recurring.ts';
import { pageOf, TRANSACTION } from './transaction.ts';
import { WEBHOOK_ENDPOINTS } from './webhook-endpoints.ts';
import { WEBHOOK_LOG } from './webhook-log.ts';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly access: 'secret key' | 'publishable key in the query' | 'no key';
  readonly success: number;
  /** The body on success. */
  readonly response:
    | { readonly envelope: Type }
    | { readonly bare: Type }
    /** No body; the pattern of the `Location` header. */
    | { readonly location: RegExp };
  /** The error statuses that the interface lists for this endpoint. */
  readonly failures: readonly number[];
  /** Error statuses it does not list; `ADDED_STATUSES` gives the reasons. */
  readonly added: readonly (keyof typeof ADDED_STATUSES)[];
  /** A request that succeeds, apart from a key and an id. */
  readonly body?: object;
}

const SECRET = { method: 'GET', access: 'secret key', success: 200, failures: [401, 403] } as const;
const CREATE = { ...SECRET, method: 'POST', success: 201, response: { envelope: { fields: TRANSACTION } } } as const;

/** The endpoints of the interface by operation. */
export const ENDPOINTS = {
  createTransaction: {
    ...CREATE,
    path: '/transactions/create',
    failures: [400, 401, 403, 409, 429],
    added: [500],
    body: { crypto: 'LTC', amount: 25 },
  },
  createDetailedTransaction: {
    ...CREATE,
    path: '/transactions/create-detailed',
    failures: [400, 401, 403, 429],
    added: [409, 500],
    body: { crypto: 'LTC', items: [{ name: 'Tea', price: 25 }], order_id: '1042' },
  },
  listTransactions: {
    ...SECRET,
    path: '/transactions/list',
    response: { envelope: { fields: pageOf('transactions', TRANSACTION) } },
    added: [400, 429, 500],
  },
  getTransaction: {
    ...SECRET,
    path: '/transactions/{transaction_id}',
    response: { envelope: { fields: TRANSACTION } },
    failures: [401, 403, 404],
    added: [429, 500],
  },
  getPrices: {
    ...SECRET,
    path: '/prices',
    response: { envelope: { fields: PRICES } },
    failures: [401, 500],
    added: [403, 429],
  },
  listCryptocurrencies: {
    ...SECRET,
    path: '/cryptos/list',
    response: { envelope: CRYPTOCURRENCIES },
    failures: [401],
    added: [403, 429, 500],
  },
  listMerchantCryptocurrencies: {
    ...SECRET,
    path: '/merchant/cryptos',
    response: { envelope: CRYPTOCURRENCIES },
    failures: [401],
    added: [403, 429, 500],
  },
  getAccount: { ...SECRET, path: '/account', response: { envelope: { fields: ACCOUNT } }, added: [429, 500] },
  listPlans: { ...SECRET, path: '/plans', response: { envelope: PLANS }, added: [429, 500] },
  listBalances: { ...SECRET, path: '/balances', response: { envelope: BALANCES }, added: [429, 500] },
  getStats: { ...SECRET, path: '/stats', response: { envelope: { fields: STATS } }, added: [400, 429, 500] },
  listInvoices: { ...SECRET, path: '/invoices', response: { envelope: { fields: INVOICES } }, added: [400, 429, 500] },
  createBillingCheckout: {
    ...CREATE,
    path: '/billing/checkout',
    added: [400, 429, 500],
    body: { tier: 'business' },
  },
  getHealth: {
    ...SECRET,
    path: '/health',
    access: 'no key',
    response: { bare: { fields: HEALTH } },
    failures: [],
    added: [429, 503],
  },
  hostedCheckoutRedirect: {
    ...SECRET,
    path: '/pay',
    access: 'publishable key in the query',
    success: 302,
    response: { location: /^https:\/\/pay\.example\.com\/transaction\/txn_[0-9a-z]+$/ },
    failures: [400, 409, 410],
    added: [401, 403, 429, 500],
  },
} as const satisfies Readonly<Record<string, Endpoint>>;

/** Endpoints that the interface does not have. */
export const ADDED_ENDPOINTS = {
  simulateTransaction: {
    ...CREATE,
    success: 200,
    path: '/transactions/{transaction_id}/simulate',
    failures: [],
    added: [400, 401, 403, 404, 409, 429, 500],
    body: { action: 'pay' },
    why: 'the simulated test mode that the interface announces needs somebody to drive it',
  },
  decideTransaction: {
    ...CREATE,
    success: 200,
    path: '/transactions/{transaction_id}/decision',
    failures: [],
    added: [400, 401, 403, 404, 409, 429, 500],
    body: { action: 'mark_paid', reason: 'still here', seen_step: 1 },
    why: 'a shop can decide from its own pages, about what it has shown',
  },
  ...RECURRING,
  ...PAYMENT_LINKS,
  ...WEBHOOK_ENDPOINTS,
  ...WEBHOOK_LOG,
} as const satisfies Readonly<Record<string, Endpoint & { readonly why: string }>>;

export const ALL_ENDPOINTS: Readonly<Record<EndpointName, Endpoint>> = { ...ENDPOINTS, ...ADDED_ENDPOINTS };

export type EndpointName = keyof typeof ENDPOINTS | keyof typeof ADDED_ENDPOINTS;

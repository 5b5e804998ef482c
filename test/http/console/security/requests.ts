import type { ConsoleRequest } from '../support/console.ts';
import { type MerchantResources, WALLETS } from './resources.ts';

/** Account 0 of the mnemonic in BIP84. */
const WALLET = { crypto: 'BTC', extendedPublicKey: WALLETS[0]?.extended_public_key };

type Asking = (of: MerchantResources) => ConsoleRequest;

/** For every route with an id: the request that its owner would be granted. */
export const REQUESTS: Readonly<Record<string, Asking>> = {
  'DELETE /sessions/:id': ({ session }) => ({ method: 'DELETE', path: `/sessions/${session}` }),
  'PATCH /users/:id': ({ user }) => change(`/users/${user}`, { role: 'staff' }),
  'POST /users/:id/resend-invitation': ({ user }) => post(`/users/${user}/resend-invitation`, {}),
  'GET /merchant/payments/:id': ({ payment }) => ({ path: `/merchant/payments/${payment}` }),
  'POST /merchant/payments/:id/decisions': ({ payment }) =>
    post(`/merchant/payments/${payment}/decisions`, {
      decision: 'mark_paid',
      reason: 'mine',
      seenStep: 1,
      requestId: 'strange-1',
    }),
  'POST /merchant/payments/:id/simulate': ({ payment }) =>
    post(`/merchant/payments/${payment}/simulate`, { action: 'pay' }),
  'POST /merchant/payments/:id/search': ({ payment }) =>
    post(`/merchant/payments/${payment}/search`, { txid: 'ab'.repeat(32) }),
  'POST /merchant/attention/:transactionId/:kind/settle': ({ payment }) =>
    post(`/merchant/attention/${payment}/coins_on_closed/settle`, { note: 'mine', amountCrypto: '1', revision: 1 }),
  'GET /merchant/wallets/:id/addresses.csv': ({ wallet }) => ({ path: `/merchant/wallets/${wallet}/addresses.csv` }),
  'POST /merchant/wallets/:id/skip': ({ wallet }) => post(`/merchant/wallets/${wallet}/skip`, { count: 1 }),
  'POST /merchant/keys/:id/rotate': ({ key }) => post(`/merchant/keys/${key}/rotate`, { overlapMs: 0 }),
  'POST /merchant/keys/:id/revoke': ({ key }) => post(`/merchant/keys/${key}/revoke`, {}),
  'PATCH /merchant/keys/:id': ({ key }) => change(`/merchant/keys/${key}`, { name: 'mine' }),
  'GET /merchant/webhooks/:id': ({ endpoint }) => ({ path: `/merchant/webhooks/${endpoint}` }),
  'PATCH /merchant/webhooks/:id': ({ endpoint }) => change(`/merchant/webhooks/${endpoint}`, { description: 'mine' }),
  'DELETE /merchant/webhooks/:id': ({ endpoint }) => ({ method: 'DELETE', path: `/merchant/webhooks/${endpoint}` }),
  'POST /merchant/webhooks/:id/secret': ({ endpoint }) => post(`/merchant/webhooks/${endpoint}/secret`, {}),
  'POST /merchant/webhooks/:id/rotate-secret': ({ endpoint }) =>
    post(`/merchant/webhooks/${endpoint}/rotate-secret`, { overlapHours: 24 }),
  'DELETE /merchant/webhooks/:id/responses': ({ endpoint }) => ({
    method: 'DELETE',
    path: `/merchant/webhooks/${endpoint}/responses`,
  }),
  'POST /merchant/webhooks/:id/test': ({ endpoint }) =>
    post(`/merchant/webhooks/${endpoint}/test`, { event: 'payment.completed' }),
  'GET /merchant/webhooks/:id/deliveries': ({ endpoint }) => ({ path: `/merchant/webhooks/${endpoint}/deliveries` }),
  'GET /merchant/webhooks/:id/replay-preview': ({ endpoint }) => ({
    path: `/merchant/webhooks/${endpoint}/replay-preview?since=${Date.now() - 60_000}`,
  }),
  'POST /merchant/webhooks/:id/replays': ({ endpoint }) =>
    post(`/merchant/webhooks/${endpoint}/replays`, { since: Date.now() - 60_000 }),
  'POST /merchant/webhooks/:id/retry-waiting': ({ endpoint }) =>
    post(`/merchant/webhooks/${endpoint}/retry-waiting`, {}),
  'GET /merchant/webhooks/deliveries/:id': ({ delivery }) => ({ path: `/merchant/webhooks/deliveries/${delivery}` }),
  'POST /merchant/webhooks/deliveries/:id/redeliver': ({ delivery }) =>
    post(`/merchant/webhooks/deliveries/${delivery}/redeliver`, {}),
  'GET /merchant/webhooks/replays/:id': ({ replay }) => ({ path: `/merchant/webhooks/replays/${replay}` }),
  'POST /merchant/webhooks/replays/:id/cancel': ({ replay }) => post(`/merchant/webhooks/replays/${replay}/cancel`, {}),
  'POST /merchant/links/:slug/close': ({ link }) => post(`/merchant/links/${link}/close`, { mode: 'test' }),
  'GET /merchant/recurring/:id': ({ schedule }) => ({ path: `/merchant/recurring/${schedule}?mode=test` }),
  'GET /merchant/recurring/:id/periods': ({ schedule }) => ({
    path: `/merchant/recurring/${schedule}/periods?mode=test`,
  }),
  'POST /merchant/recurring/:id/pause': ({ schedule }) => decide(schedule, 'pause'),
  'POST /merchant/recurring/:id/resume': ({ schedule }) => decide(schedule, 'resume'),
  'POST /merchant/recurring/:id/cancel': ({ schedule }) => decide(schedule, 'cancel'),
  'POST /merchant/recurring/:id/resend-confirmation': ({ schedule }) => decide(schedule, 'resend-confirmation'),
  'POST /merchant/recurring/:id/simulate': ({ schedule }) =>
    post(`/merchant/recurring/${schedule}/simulate`, { action: 'confirm' }),
};

/** For every other route of a merchant that changes something: a valid request. */
export const CHANGES: Readonly<Record<string, ConsoleRequest>> = {
  'POST /merchant/overview/test-payment': post('/merchant/overview/test-payment', {
    crypto: 'LTC',
    amount: '25',
    currency: 'EUR',
  }),
  'POST /merchant/wallets/preview': post('/merchant/wallets/preview', WALLET),
  'POST /merchant/wallets': post('/merchant/wallets', {
    cryptos: ['BTC'],
    extendedPublicKey: WALLET.extendedPublicKey,
    addressType: 'p2wpkh',
    firstAddress: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    isMatching: true,
    replaces: true,
  }),
  'POST /merchant/keys': post('/merchant/keys', { kind: 'secret', mode: 'live' }),
  'POST /merchant/webhooks': post('/merchant/webhooks', { url: 'https://hooks.example.com/theirs', modes: ['live'] }),
  'POST /merchant/links': post('/merchant/links', { mode: 'test', title: 'Theirs', amount: '25', currency: 'EUR' }),
  'POST /merchant/recurring': post('/merchant/recurring', {
    mode: 'test',
    customerEmail: 'ada@customer.example',
    description: 'Coffee every month',
    amount: '24.99',
    currency: 'EUR',
    interval: 'monthly',
    requestId: 'request-1',
  }),
  'POST /merchant/plan/checkout': post('/merchant/plan/checkout', {
    mode: 'test',
    tier: 'professional',
    billingMonths: 1,
  }),
  'PATCH /merchant/settings': change('/merchant/settings', {
    changes: { minConfirmations: 2 },
    seen: { minConfirmations: 1 },
  }),
  'POST /users': post('/users', { email: 'theirs@example.com', role: 'staff' }),
};

// Helpers

function post(path: string, body: unknown): ConsoleRequest {
  return { method: 'POST', path, body };
}

function change(path: string, body: unknown): ConsoleRequest {
  return { method: 'PATCH', path, body };
}

function decide(schedule: string, decision: string): ConsoleRequest {
  return post(`/merchant/recurring/${schedule}/${decision}`, { mode: 'test' });
}

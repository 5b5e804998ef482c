import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { insertDeadLetters } from '../../../../src/platform/engine/index.ts';
import { changeTransactions } from '../../../support/database/transaction-rows.ts';
import { POLLING } from '../../../support/polling.ts';
import { loadVectors } from '../../../wallets/support.ts';
import type { ConsoleRequest, ConsoleResponse, TestConsole } from '../support/console.ts';
import type { MerchantResources } from './resources.ts';

/** Where a route records a change: in the merchant's audit log, or in the operator actions. */
export type ActionLog = 'audit' | 'operator actions';

export interface AuditedAction {
  /** Route, like `POST /merchant/keys`. */
  readonly route: string;
  readonly log: ActionLog;
  readonly what: string;
  readonly do: (context: ActionContext) => Promise<ConsoleResponse>;
}

export interface ActionContext {
  readonly console: TestConsole;
  readonly of: MerchantResources;
  /** Sends a request as the owner. */
  ask(request: ConsoleRequest): Promise<ConsoleResponse>;
  /** Sends a request as the operator. */
  operate(request: ConsoleRequest): Promise<ConsoleResponse>;
}

/** Routes that change nothing stored, and so need no audit entry. */
export const CHANGES_NOTHING: readonly string[] = [
  'POST /actors/:id/preview',
  'POST /charts/:kind/migration-preview',
  'POST /journals/read',
  'POST /merchant/wallets/preview',
  'POST /password-reset/link',
  'POST /setup/link',
];

/**
 * Their entries need an email, another clock or a second version of a chart: test/accounts checks
 * them in accounts/harness.ts and tests, test/operations/chart-versions.test.ts those of
 * migrations. /
 */
export const AUDITED_ELSEWHERE: readonly string[] = [
  'POST /charts/:kind/migrations',
  'POST /setup',
  'POST /merchants',
  'POST /sign-up',
  'POST /sign-up/confirm',
  'POST /password-reset/request',
  'POST /password-reset/confirm',
  'POST /totp/begin',
  'POST /totp/confirm',
  'POST /totp/disable',
  'POST /recovery-codes',
  'POST /sign-in',
  'POST /sign-out',
];

/** One successful request for every route that changes something, in an order that works. */
export const AUDITED_ACTIONS: readonly AuditedAction[] = [
  merchant('POST /merchant/overview/test-payment', 'payment.started', () => ({
    crypto: 'LTC',
    amount: '5',
    currency: 'USD',
  })),
  {
    ...merchant('POST /merchant/attention/:transactionId/:kind/settle', 'attention.settled'),
    async do({ console, ask }) {
      const id = await payBut(console, [{ action: 'pay_partial' }, { action: 'advance_clock', seconds: 3_601 }]);
      const listed = await ask({ path: '/merchant/attention?mode=test&kind=underpaid' });
      const item = listed.data.items.find(({ transactionId }: { transactionId: string }) => transactionId === id);
      const body = { note: 'sent it back', amountCrypto: item.amountCrypto, revision: item.revision };
      return ask(post(`/merchant/attention/${id}/underpaid/settle`, body));
    },
  },
  merchant('POST /merchant/payments/:id/simulate', 'payment.simulated', () => ({ action: 'confirm' })),
  {
    ...merchant('POST /merchant/payments/:id/search', 'payment.transaction_searched'),
    async do({ ask, console, of }) {
      const setNetwork = (network: string) => changeTransactions(console.db, { network }, { id: of.payment });
      const { network } = (await ask({ path: `/merchant/payments/${of.payment}` })).data;
      // A simulated network has no transactions to search.
      await setNetwork('litecoin-mainnet');
      const response = await ask(post(`/merchant/payments/${of.payment}/search`, { txid: 'ab'.repeat(32) }));
      await setNetwork(network);
      return response;
    },
  },
  {
    ...merchant('POST /merchant/payments/:id/decisions', 'payment.marked_paid'),
    async do({ ask, of }) {
      const path = `/merchant/payments/${of.payment}`;
      const { step: seenStep } = (await ask({ path })).data;
      const body = { decision: 'mark_paid', reason: 'ours', seenStep, requestId: newRequestId() };
      return ask(post(`${path}/decisions`, body));
    },
  },
  {
    ...merchant('POST /merchant/wallets', 'wallet.attached'),
    async do({ ask }) {
      const extendedPublicKey = SPARE_KEY;
      const keyed = { crypto: 'LTC', extendedPublicKey };
      const { addressType, addresses } = (await ask(post('/merchant/wallets/preview', keyed))).data;
      const compared = { addressType, firstAddress: addresses[0].address, isMatching: true, replaces: false };
      return ask(post('/merchant/wallets', { cryptos: ['LTC'], extendedPublicKey, ...compared }));
    },
  },
  merchant('POST /merchant/wallets/:id/skip', 'wallet.addresses_skipped', () => ({ count: 1 })),
  merchant('POST /merchant/keys', 'api_key.created', () => ({ kind: 'secret', mode: 'test', name: 'till' })),
  merchant('PATCH /merchant/keys/:id', 'api_key.changed', () => ({ name: 'the till' })),
  merchant('POST /merchant/keys/:id/rotate', 'api_key.rotated', () => ({ overlapMs: 60_000 })),
  merchant('POST /merchant/keys/:id/revoke', 'api_key.revoked', () => ({})),
  merchant('POST /merchant/webhooks', 'webhook_endpoint.created', () => ({
    url: 'https://hooks.example.com/two',
    modes: ['test'],
  })),
  merchant('PATCH /merchant/webhooks/:id', 'webhook_endpoint.changed', () => ({ description: 'bookkeeping' })),
  merchant('POST /merchant/webhooks/:id/secret', 'webhook_endpoint.secret_regenerated', () => ({})),
  merchant('POST /merchant/webhooks/:id/rotate-secret', 'webhook_endpoint.secret_rotated', () => ({ overlapHours: 1 })),
  merchant('POST /merchant/webhooks/:id/test', 'webhook_endpoint.test_sent', () => ({ event: 'payment.completed' })),
  {
    ...merchant('POST /merchant/webhooks/deliveries/:id/redeliver', 'webhook_endpoint.redelivery_requested'),
    // While an attempt is in progress, requesting one changes nothing.
    do: ({ ask, of }) =>
      vi.waitUntil(async () => {
        const response = await ask(post(`/merchant/webhooks/deliveries/${of.delivery}/redeliver`, {}));
        return response.data.outcome === 'under_way' ? null : response;
      }, POLLING),
  },
  merchant('POST /merchant/webhooks/:id/retry-waiting', 'webhook_endpoint.waiting_retried', () => ({})),
  {
    ...merchant('POST /merchant/webhooks/:id/replays', 'webhook_endpoint.replay_started'),
    // While one runs, the response is that one.
    do: ({ ask, of }) =>
      vi.waitUntil(async () => {
        const path = `/merchant/webhooks/${of.endpoint}/replays`;
        const response = await ask(post(path, { since: Date.now() - 60_000 }));
        return response.data.id === of.replay ? null : response;
      }, POLLING),
  },
  {
    ...merchant('POST /merchant/webhooks/replays/:id/cancel', 'webhook_endpoint.replay_cancelled'),
    // The worker may finish one before it can be cancelled.
    do: ({ ask, of }) =>
      vi.waitUntil(async () => {
        const begun = await ask(post(`/merchant/webhooks/${of.endpoint}/replays`, { since: Date.now() - 60_000 }));
        const response = await ask(post(`/merchant/webhooks/replays/${begun.data.id}/cancel`, {}));
        return response.data.state === 'cancelled' ? response : null;
      }, POLLING),
  },
  {
    ...merchant('DELETE /merchant/webhooks/:id/responses', 'webhook_endpoint.responses_deleted'),
    do: ({ ask, of }) => ask({ method: 'DELETE', path: `/merchant/webhooks/${of.endpoint}/responses` }),
  },
  {
    ...merchant('DELETE /merchant/webhooks/:id', 'webhook_endpoint.deleted'),
    do: ({ ask, of }) => ask({ method: 'DELETE', path: `/merchant/webhooks/${of.endpoint}` }),
  },
  merchant('POST /merchant/links', 'payment_link.created', () => ({
    mode: 'test',
    title: 'A mug',
    amount: '12.50',
    currency: 'EUR',
  })),
  merchant('POST /merchant/links/:slug/close', 'payment_link.closed', () => ({ mode: 'test' })),
  merchant('POST /merchant/recurring', 'schedule.created', () => ({
    mode: 'test',
    requestId: newRequestId(),
    customerEmail: 'ann@example.com',
    amount: '10',
    currency: 'EUR',
    interval: 'monthly',
    description: 'A mug a month',
    reference: null,
    crypto: null,
    startAt: null,
    maxPeriods: null,
    successUrl: null,
  })),
  decision('resend-confirmation', 'schedule.confirmation_resent'),
  merchant('POST /merchant/recurring/:id/simulate', 'schedule.simulated', () => ({ action: 'confirm' })),
  decision('pause', 'schedule.paused'),
  decision('resume', 'schedule.resumed'),
  decision('cancel', 'schedule.cancelled'),
  {
    ...merchant('POST /merchant/plan/checkout', 'merchant.plan_checkout_started'),
    async do({ ask, console }) {
      // The current plan does not end, so there would be nothing to buy.
      await console.db.updateTable('merchant').set({ plan: 'starter' }).where('id', '=', console.merchantId).execute();
      return ask(post('/merchant/plan/checkout', { mode: 'test', tier: 'professional', billingMonths: 1 }));
    },
  },
  merchant('PATCH /merchant/settings', 'merchant.settings_changed', () => ({
    changes: { minConfirmations: 3 },
    seen: { minConfirmations: 1 },
  })),
  merchant('POST /users', 'user.invited', () => ({ email: `${randomUUID()}@example.com`, role: 'staff' })),
  {
    ...merchant('POST /users/:id/resend-invitation', 'user.invitation_resent'),
    async do({ ask }) {
      const invited = (await ask({ path: '/users' })).data.find(({ isInvited }: { isInvited: boolean }) => isInvited);
      return ask(post(`/users/${invited?.id ?? 'none'}/resend-invitation`, {}));
    },
  },
  {
    ...merchant('PATCH /users/:id', 'user.role_changed'),
    async do({ ask, console }) {
      const staff = (await ask({ path: '/users' })).data.find(
        ({ email }: { email: string }) => email === console.users.staff.email,
      );
      return ask({ method: 'PATCH', path: `/users/${staff.id}`, body: { role: 'owner' } });
    },
  },
  {
    ...operator('POST /actors/:id/events', 'event.sent'),
    async do({ operate, of }) {
      const { data } = await operate({ path: `/actors/${of.payment}` });
      return operate(
        post(`/actors/${of.payment}/events`, {
          type: 'merchant.confirmed',
          reason: 'ours',
          seenSequence: data.steps,
          requestId: newRequestId(),
        }),
      );
    },
  },
  letter('retry', 'dead_letter.retried'),
  letter('dismiss', 'dead_letter.dismissed'),
  {
    ...operator('POST /alerts/:id/resolve', 'alert.resolved'),
    async do({ console, operate }) {
      const { id } = await console.db
        .insertInto('operator_alert')
        .values({ alert: 'wallet_used_before', detail: 'a wallet' })
        .returning('id')
        .executeTakeFirstOrThrow();
      return operate(post(`/alerts/${id}/resolve`, { reason: 'talked to them', requestId: newRequestId() }));
    },
  },
  { ...operator('POST /runs', 'events.planned'), do: ({ operate }) => operate(post('/runs', planned())) },
  run('start', 'run.started'),
  run('pause', 'run.paused'),
  run('cancel', 'run.cancelled'),
  {
    ...operator('POST /merchants/:id/plan', 'merchant.plan_assigned'),
    do: ({ operate, console }) =>
      operate(
        post(`/merchants/${console.neighbour.merchantId}/plan`, {
          tier: 'business',
          expiresAt: null,
          reason: 'a gift',
          requestId: newRequestId(),
        }),
      ),
  },
  {
    ...operator('POST /merchants/:id/approve', 'merchant.approved'),
    do: ({ operate, console }) =>
      operate(
        post(`/merchants/${console.neighbour.merchantId}/approve`, { reason: 'known', requestId: newRequestId() }),
      ),
  },
  {
    ...operator('PATCH /plans/:tier', 'plan.changed'),
    do: ({ operate }) =>
      operate({
        method: 'PATCH',
        path: '/plans/starter',
        body: { webhookLimit: 3, reason: 'a gift', requestId: newRequestId() },
      }),
  },
  {
    ...merchant('POST /reauthenticate', 'session.reauthenticated'),
    do: ({ ask, console }) => ask(post('/reauthenticate', { password: console.users.owner.password })),
  },
  {
    ...merchant('POST /password', 'user.password_changed'),
    do: ({ ask, console }) =>
      ask(post('/password', { currentPassword: console.users.owner.password, password: 'seven quiet lanterns' })),
  },
  // Last: it ends the session of the owner's requests.
  {
    ...merchant('DELETE /sessions/:id', 'session.ended'),
    do: ({ ask, of }) => ask({ method: 'DELETE', path: `/sessions/${of.session}` }),
  },
];

// Helpers

/** The published key of a Litecoin account. */
const SPARE_KEY = loadVectors<{ vectors: { coin: string; network: string; key: string; prefix?: string }[] }>(
  'hd-derivation',
).vectors.find(({ coin, network, prefix }) => coin === 'LTC' && network === 'mainnet' && prefix !== undefined)?.key;

type WithoutDoing = Omit<AuditedAction, 'do'>;

function merchant(route: string, what: string): WithoutDoing;
function merchant(route: string, what: string, body: () => unknown): AuditedAction;
function merchant(route: string, what: string, body?: () => unknown): AuditedAction | WithoutDoing {
  const action = { route, what, log: 'audit' } as const;
  if (body === undefined) return action;
  return {
    ...action,
    do: ({ ask, of }) => {
      const [method = '', path = ''] = route.split(' ');
      return ask({ method: method as 'POST' | 'PATCH', path: placed(path, of), body: body() });
    },
  };
}

function operator(route: string, what: string): WithoutDoing {
  return { route, what, log: 'operator actions' };
}

function decision(name: string, what: string): AuditedAction {
  return merchant(`POST /merchant/recurring/:id/${name}`, what, () => ({ mode: 'test' }));
}

function letter(name: 'retry' | 'dismiss', what: string): AuditedAction {
  return {
    ...operator(`POST /dead-letters/:id/${name}`, what),
    async do({ console, operate }) {
      const reason = `unknown ${randomUUID()}`;
      await insertDeadLetters(console.db, [
        {
          queue: 'webhook-send',
          messageId: randomUUID(),
          actorId: null,
          reason,
          data: { deliveryId: 'dlv_none' },
        },
      ]);
      const { deadLetters } = (await operate({ path: `/dead-letters?reason=${encodeURIComponent(reason)}` })).data;
      return operate(post(`/dead-letters/${deadLetters[0].id}/${name}`, { reason: 'ours', requestId: newRequestId() }));
    },
  };
}

function run(move: 'start' | 'pause' | 'cancel', what: string): AuditedAction {
  return {
    ...operator(`POST /runs/:id/${move}`, what),
    // A small run may be done before it can be paused.
    do: ({ operate }) =>
      vi.waitUntil(async () => {
        const { data } = await operate(post('/runs', planned()));
        if (move === 'pause') await operate(post(`/runs/${data.id}/start`, {}));
        const response = await operate(post(`/runs/${data.id}/${move}`, {}));
        return response.status < 300 ? response : null;
      }, POLLING),
  };
}

function planned() {
  const task = { what: 'send_event', type: 'merchant.confirmation_resent', fields: {} };
  return { task, filter: { kind: 'schedule' }, reason: 'ours', requestId: newRequestId() };
}

/** The path with ids in place of its parameters; the path segment before each names its kind. */
function placed(path: string, of: MerchantResources): string {
  const ids: Readonly<Record<string, string>> = {
    payments: of.payment,
    wallets: of.wallet,
    keys: of.key,
    webhooks: of.endpoint,
    links: of.link,
    recurring: of.schedule,
  };
  return path.replace(/([a-z]+)\/:\w+/, (_, word: string) => `${word}/${ids[word] ?? ''}`);
}

/** A test payment that needs attention. */
async function payBut(console: TestConsole, steps: readonly object[]): Promise<string> {
  const { data } = await console.api({
    method: 'POST',
    path: '/transactions/create',
    body: { crypto: 'LTC', amount: 25 },
  });
  for (const body of steps) {
    await console.api({ method: 'POST', path: `/transactions/${data.transaction_id}/simulate`, body });
  }
  return data.transaction_id;
}

function post(path: string, body: unknown): ConsoleRequest {
  return { method: 'POST', path, body };
}

function newRequestId(): string {
  return randomUUID();
}

import type { Who } from '../support/console.ts';
import { type ConsoleRoute, nameOf } from './route-table.ts';

/** The users a route accepts. `neighbour` is an owner of another merchant. */
export type Openness = 'anybody' | readonly Who[];

/** Every user, and null: a request without a session. */
export const EVERYBODY: readonly (Who | null)[] = ['owner', 'staff', 'operator', 'observer', 'neighbour', null];

const SIGNED_IN: readonly Who[] = ['owner', 'staff', 'operator', 'observer', 'neighbour'];
const MEMBERS: readonly Who[] = ['owner', 'staff', 'neighbour'];
const OWNERS: readonly Who[] = ['owner', 'neighbour'];
const SERVICE: readonly Who[] = ['operator', 'observer'];
const OPERATORS: readonly Who[] = ['operator'];

/**
 * Who may do what, written down a second time and independently of the routes. Reading is decided
 * by path; a new route that changes something needs an entry here.
 */
export function opennessOf(route: ConsoleRoute): Openness {
  const said = CHANGES[nameOf(route)];
  if (said !== undefined) return said;
  if (route.method !== 'GET') throw new Error(`say in policy.ts who may use ${nameOf(route)}`);
  if (route.path.startsWith('/merchant/')) return OWNERS_READ.has(route.path) ? OWNERS : MEMBERS;
  return READS[route.path] ?? SERVICE;
}

/** The response to a user whom a route does not accept. */
export function rejectionOf(who: Who | null): { readonly status: number; readonly error: string } {
  return who === null ? { status: 401, error: 'NOT_SIGNED_IN' } : { status: 403, error: 'FORBIDDEN' };
}

// Helpers

const READS: Readonly<Record<string, Openness>> = {
  '/setup': 'anybody',
  '/sign-up': 'anybody',
  '/mail-info': 'anybody',
  '/me': SIGNED_IN,
  '/sessions': SIGNED_IN,
  '/users': ['owner', 'operator', 'neighbour'],
  '/mails': OPERATORS,
  '/mails/:id': OPERATORS,
};

const OWNERS_READ: ReadonlySet<string> = new Set(['/merchant/audit', '/merchant/wallets/:id/addresses.csv']);

const CHANGES: Readonly<Record<string, Openness>> = {
  'POST /sign-in': 'anybody',
  'POST /sign-out': 'anybody',
  'POST /setup': 'anybody',
  'POST /setup/link': 'anybody',
  'POST /sign-up': 'anybody',
  'POST /sign-up/confirm': 'anybody',
  'POST /password-reset/request': 'anybody',
  'POST /password-reset/link': 'anybody',
  'POST /password-reset/confirm': 'anybody',
  'POST /password': SIGNED_IN,
  'POST /reauthenticate': SIGNED_IN,
  'POST /totp/begin': SIGNED_IN,
  'POST /totp/confirm': SIGNED_IN,
  'POST /totp/disable': SIGNED_IN,
  'POST /recovery-codes': SIGNED_IN,
  'DELETE /sessions/:id': SIGNED_IN,
  'POST /users': ['owner', 'operator', 'neighbour'],
  'POST /users/:id/resend-invitation': ['owner', 'operator', 'neighbour'],
  'PATCH /users/:id': ['owner', 'operator', 'neighbour'],
  // These change nothing.
  'POST /actors/:id/preview': SERVICE,
  'POST /charts/:kind/migration-preview': SERVICE,
  'POST /journals/read': SERVICE,
  'POST /actors/:id/events': OPERATORS,
  'POST /charts/:kind/migrations': OPERATORS,
  'POST /alerts/:id/resolve': OPERATORS,
  'POST /dead-letters/:id/retry': OPERATORS,
  'POST /dead-letters/:id/dismiss': OPERATORS,
  'POST /runs': OPERATORS,
  'POST /runs/:id/start': OPERATORS,
  'POST /runs/:id/pause': OPERATORS,
  'POST /runs/:id/cancel': OPERATORS,
  'POST /merchants': OPERATORS,
  'POST /merchants/:id/plan': OPERATORS,
  'POST /merchants/:id/approve': OPERATORS,
  'PATCH /plans/:tier': OPERATORS,
  'POST /merchant/payments/:id/decisions': MEMBERS,
  'POST /merchant/payments/:id/simulate': MEMBERS,
  'POST /merchant/payments/:id/search': MEMBERS,
  'POST /merchant/attention/:transactionId/:kind/settle': MEMBERS,
  'POST /merchant/overview/test-payment': MEMBERS,
  'POST /merchant/wallets/preview': OWNERS,
  'POST /merchant/wallets': OWNERS,
  'POST /merchant/wallets/:id/skip': OWNERS,
  'POST /merchant/keys': OWNERS,
  'POST /merchant/keys/:id/rotate': OWNERS,
  'POST /merchant/keys/:id/revoke': OWNERS,
  'PATCH /merchant/keys/:id': OWNERS,
  'POST /merchant/webhooks': OWNERS,
  'PATCH /merchant/webhooks/:id': OWNERS,
  'DELETE /merchant/webhooks/:id': OWNERS,
  'POST /merchant/webhooks/:id/secret': OWNERS,
  'POST /merchant/webhooks/:id/rotate-secret': OWNERS,
  'DELETE /merchant/webhooks/:id/responses': OWNERS,
  'POST /merchant/webhooks/:id/test': MEMBERS,
  'POST /merchant/webhooks/:id/retry-waiting': MEMBERS,
  'POST /merchant/webhooks/:id/replays': OWNERS,
  'POST /merchant/webhooks/replays/:id/cancel': OWNERS,
  'POST /merchant/webhooks/deliveries/:id/redeliver': MEMBERS,
  'POST /merchant/links': MEMBERS,
  'POST /merchant/links/:slug/close': MEMBERS,
  'POST /merchant/recurring': MEMBERS,
  'POST /merchant/recurring/:id/pause': MEMBERS,
  'POST /merchant/recurring/:id/resume': MEMBERS,
  'POST /merchant/recurring/:id/cancel': MEMBERS,
  'POST /merchant/recurring/:id/resend-confirmation': MEMBERS,
  'POST /merchant/recurring/:id/simulate': MEMBERS,
  'POST /merchant/plan/checkout': OWNERS,
  'PATCH /merchant/settings': OWNERS,
};

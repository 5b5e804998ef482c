import { MODES, type Scope, SHOPS } from './fixtures.ts';
import { placeholder } from './placeholders.ts';
import type { FuzzRequest } from './requests.ts';

/** Scopes that submit texts in the run. */
export const MARKED = ['ann.test', 'ann.live', 'bob.test', 'bob.live'] as const satisfies readonly Scope[];

/**
 * The first requests of a run, in order, so that every scope has own and foreign objects to ask
 * for: a payment and a recurring payment request in each mode, a webhook endpoint with a delivery
 * and a replay for each shop, in test mode a late payment that is marked as paid, and the page on
 * which a browser chooses the coin, also loaded as an image.
 */
export function openingRequests(): FuzzRequest[] {
  return [
    ...SHOPS.flatMap(webhooksOf),
    ...MARKED.map(paymentOf),
    ...MARKED.flatMap(schedulesOf),
    ...lateOf('ann.test'),
    ...lateOf('bob.test'),
    ...MARKED.map(chooserOf),
    ...MARKED.map(chooserAsImage),
  ];
}

// Helpers

function paymentOf(scope: Scope): FuzzRequest {
  const body = { crypto: 'LTC', amount: 25, metadata: { note: placeholder.mark } };
  return post(scope, '/transactions/create', body);
}

/**
 * Four schedules, the last of them stopped. Where a customer can be simulated, two others are
 * confirmed and so have a period, and one of those was resumed once and is paused.
 */
function schedulesOf(scope: Scope): FuzzRequest[] {
  const body = {
    customer_email: `${placeholder.mark}@example.com`,
    amount: 25,
    interval: 'weekly',
    description: `by ${placeholder.mark}`,
    reference: `first of ${placeholder.mark}`,
  };
  const create = post(scope, '/recurring/create', body);
  const ask = (nth: number, what: string, json: object = {}) =>
    post(scope, `/recurring/{schedule_id}/${what}`, json, ownSchedule(nth));
  const confirm = (nth: number) => ask(nth, 'simulate', { action: 'confirm' });
  const stopped = [ask(3, 'cancel'), ask(3, 'resend-confirmation')];
  const confirmed = [confirm(0), confirm(1), ask(1, 'pause'), ask(1, 'resume'), ask(1, 'pause'), confirm(3)];
  return [create, create, create, create, ...stopped, ...(scope.endsWith('.test') ? confirmed : [])];
}

/** A decision must name the payment's step, which no random number hits: one of these does. */
const STEPS = Array.from({ length: 12 }, (_, index) => index + 1);

function lateOf(scope: Scope): FuzzRequest[] {
  const second = { transaction_id: placeholder.existing('transaction_id', 'own', 1) };
  const decide = (seenStep: number) => {
    const body = { action: 'mark_paid', reason: `as step ${seenStep} shows it`, seen_step: seenStep };
    return post(scope, '/transactions/{transaction_id}/decision', body, second);
  };
  return [
    paymentOf(scope),
    post(scope, '/transactions/{transaction_id}/simulate', { action: 'pay_late' }, second),
    ...STEPS.map(decide),
  ];
}

function ownSchedule(nth: number): FuzzRequest['parameters'] {
  return { schedule_id: placeholder.existing('schedule_id', 'own', nth) };
}

function chooserOf(scope: Scope): FuzzRequest {
  return {
    ...post(scope, '/pay', {}),
    operation: 'GET /pay',
    key: null,
    method: 'GET',
    query: [
      ['pk', placeholder.key(scope.replace('.', '.pk_'))],
      ['amount', '25'],
    ],
    headers: [['accept', 'text/html']],
    body: null,
  };
}

/** Rejected: only a navigation starts a payment. */
function chooserAsImage(scope: Scope): FuzzRequest {
  const chooser = chooserOf(scope);
  return { ...chooser, headers: [...chooser.headers, ['sec-fetch-dest', 'image']] };
}

function webhooksOf(shop: (typeof SHOPS)[number]): FuzzRequest[] {
  const [live] = MODES;
  const scope: Scope = `${shop}.${live}`;
  const ofFirst = { endpoint_id: placeholder.existing('endpoint_id', 'own', 0) };
  const described = { url: placeholder.receiver(0), description: `first of ${placeholder.mark}` };
  return [
    post(scope, '/webhooks/endpoints', described),
    post(scope, '/webhooks/endpoints/{endpoint_id}/test', { event: 'payment.completed' }, ofFirst),
    post(scope, '/webhooks/endpoints/{endpoint_id}/replay', { since: '2026-11-20' }, ofFirst),
  ];
}

function post(scope: Scope, path: string, json: object, parameters: FuzzRequest['parameters'] = {}): FuzzRequest {
  return {
    operation: `POST ${path}`,
    flavour: 'valid',
    key: scope.replace('.', '.sk_'),
    method: 'POST',
    path,
    parameters,
    query: [],
    rawQuery: null,
    headers: [],
    body: { json },
    from: '203.0.113.1',
    copies: 1,
  };
}

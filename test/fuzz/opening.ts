import { placeholder } from './placeholders.ts';
import type { FuzzRequest } from './requests.ts';
import { MODES, type Scope, SHOPS } from './world.ts';

/** Who gives texts in the run. */
export const MARKED = ['ann.test', 'ann.live', 'bob.test', 'bob.live'] as const satisfies readonly Scope[];

/**
 * The requests a run begins with, in order, so that there is something of everybody to ask for, and somebody else's: a payment
 * in each mode, and for each shop an endpoint of webhooks with a delivery to it and a replay.
 */
export function openingRequests(): FuzzRequest[] {
  return [...SHOPS.flatMap(webhooksOf), ...MARKED.map(firstPaymentOf)];
}

// Helpers

function firstPaymentOf(scope: Scope): FuzzRequest {
  const body = { crypto: 'LTC', amount: 25, metadata: { note: placeholder.mark } };
  return post(scope, '/transactions/create', body);
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

import type { TransactionView } from '../../../src/payments/index.ts';
import { ENDPOINT_NAMES, type EndpointName, type Receivers, type Taken } from '../environment/receivers.ts';
import type { ChaosPayment } from '../workload/payment.ts';
import { PLANS } from '../workload/plans.ts';
import { type Finding, finding } from './violation.ts';

interface Payload {
  readonly id: string;
  readonly event: string;
  readonly sequence: number;
  readonly transaction_id: string;
  readonly status: string;
  readonly exception?: string;
}

/**
 * Both endpoints must have received every event of every payment, under one id, with the same bytes
 * and true content.
 */
export function checkWebhooks(deps: {
  readonly payments: readonly ChaosPayment[];
  readonly views: ReadonlyMap<string, TransactionView>;
  readonly receivers: Pick<Receivers, 'taken' | 'forgeries'>;
  /** Ids of all events that the service has written. */
  readonly written: ReadonlySet<string>;
}): Finding[] {
  const { payments, views, receivers, written } = deps;
  const delivered: string[] = [];
  const identity: string[] = [...receivers.forgeries];
  const truth: string[] = [];
  for (const endpoint of ENDPOINT_NAMES) {
    const taken = receivers.taken[endpoint];
    for (const id of written)
      if ((taken.get(id)?.responded ?? 0) === 0) delivered.push(`${id} never reached ${endpoint}`);
    for (const [id, { changed }] of taken) {
      if (!written.has(id)) identity.push(`${endpoint} got ${id}, which was not written`);
      if (changed) identity.push(`${endpoint} got ${id} with different bytes`);
    }
    const events = byPayment(taken);
    for (const payment of payments) {
      const own = events.get(payment.id) ?? [];
      delivered.push(...gapsIn(payment, own, endpoint));
      truth.push(...liesIn(payment, own, views.get(payment.id)));
    }
  }
  const cases = written.size * ENDPOINT_NAMES.length;
  return [
    finding('every webhook is delivered to every endpoint', cases, delivered),
    finding('every event has one id and one content, and its signature is valid', cases, identity),
    finding('events are those of what happened, and the last one has the final status', cases, truth),
  ];
}

// Helpers

function byPayment(taken: ReadonlyMap<string, Taken>): Map<string, Payload[]> {
  const events = new Map<string, Payload[]>();
  for (const { body } of taken.values()) {
    const payload = JSON.parse(body) as Payload;
    events.set(payload.transaction_id, [...(events.get(payload.transaction_id) ?? []), payload]);
  }
  for (const own of events.values()) own.sort((one, other) => one.sequence - other.sequence);
  return events;
}

/** Sequences must be 1, 2, 3 …, each under one id. */
function gapsIn({ id }: ChaosPayment, own: readonly Payload[], endpoint: EndpointName): string[] {
  const sequences = own.map(({ sequence }) => sequence);
  const isComplete = sequences.length > 0 && sequences.every((sequence, index) => sequence === index + 1);
  return isComplete ? [] : [`${endpoint} got the events ${sequences.join(', ') || 'none'} of ${id}`];
}

function liesIn(payment: ChaosPayment, own: readonly Payload[], view: TransactionView | undefined): string[] {
  const events = own.map(({ event }) => event.replace('payment.', ''));
  const lies: string[] = [];
  const last = own.at(-1);
  const isLastTrue = last?.status === view?.status && (last?.exception ?? null) === (view?.exception ?? null);
  if (!isLastTrue) lies.push(`the last event says ${last?.status} and it is ${view?.status}`);
  if (!payment.isUncertain) lies.push(...miscounted(payment, events));
  return lies.map((lie) => `${payment.id} (${payment.network}, ${payment.plan}): ${lie}; events: ${events.join(', ')}`);
}

/**
 * In a reorganisation of Ethereum, transactions are invisible until they are mined again: such a
 * payment falls short for a while and is covered again, as often as blocks are undone.
 */
const RISES_AND_FALLS = ['pending', 'partial'] as const;

function boundsOf({ plan, network }: ChaosPayment): Map<string, readonly [number, number]> {
  const bounds = new Map<string, readonly [number, number]>(Object.entries(PLANS[plan].events));
  if (network !== 'ethereum') return bounds;
  const isPaid = PLANS[plan].inTime.length > 0;
  for (const name of RISES_AND_FALLS) if (isPaid) bounds.set(name, [0, Number.POSITIVE_INFINITY]);
  return bounds;
}

function miscounted(payment: ChaosPayment, events: readonly string[]): string[] {
  const bounds = boundsOf(payment);
  const names = new Set([...bounds.keys(), ...events]);
  return [...names].flatMap((name) => {
    const [least, most] = bounds.get(name) ?? [0, 0];
    const count = events.filter((event) => event === name).length;
    return count >= least && count <= most
      ? []
      : [`payment.${name} came ${count} times instead of ${least} to ${most}`];
  });
}

import type { TransactionView } from '../src/payments/index.ts';
import { messageOf } from '../src/platform/errors.ts';
import {
  dueLitoshi,
  type ExpectedWebhook,
  litoshiOf,
  type ReachedStatus,
  type Scenario,
  type Stage,
} from './scenarios.ts';
import type { ShopWebhook } from './shop.ts';
import { waitFor } from './wait.ts';

/** The result of a scenario. */
export interface Outcome {
  readonly scenario: Scenario;
  readonly transaction: TransactionView;
  /** Statuses shown by the API, in order; one that was reached twice is listed twice. */
  readonly statuses: readonly ReachedStatus[];
  /** In order of their sequence. */
  readonly webhooks: readonly ShopWebhook[];
  /** Why a step did not reach its expected status; null when all did. */
  readonly failure: string | null;
  /** Differences from the lifecycle table; empty when there are none. */
  readonly differences: readonly string[];
}

/**
 * Creates a payment through the public API, plays the scenario's steps against the node, and
 * compares what the API and the webhooks reported with the expectations.
 */
export async function play(stage: Stage, scenario: Scenario): Promise<Outcome> {
  const transaction = await stage.shop.create({ metadata: { scenario: scenario.name } });
  const scene = { transaction, txids: [] };
  const statuses = [statusOf(transaction)];
  try {
    for (const step of scenario.steps) {
      await step.does(stage, scene);
      await follow(stage, transaction.transaction_id, statuses, step.comesTo);
    }
  } catch (error) {
    // A payment that gets stuck is a difference like any other, reported with the rest.
    return readOutcome(stage, { scenario, transaction, statuses, failure: messageOf(error) });
  }
  // The last webhook and the last confirmation may still be in progress.
  const agrees = async () => {
    const outcome = await readOutcome(stage, { scenario, transaction, statuses, failure: null });
    return outcome.differences.length === 0 ? outcome : null;
  };
  return waitFor(agrees, () => 'differs').catch(() =>
    readOutcome(stage, { scenario, transaction, statuses, failure: null }),
  );
}

/** Checks the outcome once more: nothing may have been added since. */
export async function playedOut(stage: Stage, outcome: Outcome): Promise<Outcome> {
  const statuses = [...outcome.statuses];
  const now = statusOf(await stage.shop.get(outcome.transaction.transaction_id));
  if (now !== statuses.at(-1)) statuses.push(now);
  return readOutcome(stage, { ...outcome, statuses });
}

export function statusOf({ status, exception }: Pick<TransactionView, 'status' | 'exception'>): ReachedStatus {
  return (exception === undefined ? status : `${status} (${exception})`) as ReachedStatus;
}

/** Waits until the payment reaches a status, and records every other status seen until then. */
export async function follow(
  { shop }: Pick<Stage, 'shop'>,
  transactionId: string,
  statuses: ReachedStatus[],
  expected: ReachedStatus,
): Promise<TransactionView> {
  const ask = async () => {
    const transaction = await shop.get(transactionId);
    const status = statusOf(transaction);
    if (status !== statuses.at(-1)) statuses.push(status);
    return status === expected ? transaction : null;
  };
  return waitFor(ask, () => `never came to ${expected}; it went ${statuses.join(' → ')}`);
}

// Helpers

type Known = Pick<Outcome, 'scenario' | 'transaction' | 'statuses' | 'failure'>;

/** Reloads the transaction and its webhooks, and compares them with the expectations. */
async function readOutcome({ shop }: Stage, known: Known): Promise<Outcome> {
  const { transaction_id: id } = known.transaction;
  const transaction = await shop.get(id);
  const webhooks = shop.webhooksOf(id).toSorted((one, other) => one.sequence - other.sequence);
  const seen = { ...known, transaction, webhooks };
  return { ...seen, differences: differencesOf(seen) };
}

function differencesOf(seen: Omit<Outcome, 'differences'>): string[] {
  const { scenario, transaction, statuses, webhooks, failure } = seen;
  const paid = (dueLitoshi(transaction) * scenario.paidPercent) / 100n;
  return [
    ...(failure === null ? [] : [failure]),
    ...differ('statuses', statuses, expectedStatuses(scenario)),
    ...differ('webhooks', webhooks.map(webhookText), scenario.webhooks.map(expectedWebhookText)),
    ...differ('litoshi paid', litoshiOf(transaction.amount_paid), paid),
    ...differ('payments', transaction.payments.map(({ status }) => status).toSorted(), scenario.payments),
    ...webhooks.filter((each) => !each.isGenuine).map((each) => `webhook ${each.id} has a wrong signature or header`),
  ];
}

function expectedStatuses({ steps }: Scenario): ReachedStatus[] {
  const all: ReachedStatus[] = ['pending', ...steps.map((step) => step.comesTo)];
  return all.filter((status, index) => status !== all[index - 1]);
}

function webhookText({ sequence, event, status, exception }: ShopWebhook): string {
  return `${sequence} ${event} ${exception === null ? status : `${status} (${exception})`}`;
}

function expectedWebhookText([event, status]: ExpectedWebhook, index: number): string {
  return `${index + 1} ${event} ${status}`;
}

function differ(what: string, seen: unknown, expected: unknown): string[] {
  const [one, other] = [String(seen), String(expected)];
  return one === other ? [] : [`${what}: expected ${other || 'none'}; got ${one || 'none'}`];
}

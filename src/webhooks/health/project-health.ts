import { sql, type Transaction } from 'kysely';
import type { DeliveryContext, DeliveryEvent, UnixMs } from '../../../machines/index.ts';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import type { Step } from '../../platform/engine/index.ts';

type DeliveryStep = Pick<Step<DeliveryContext>, 'at' | 'event' | 'context'>;

/**
 * Maintains `failing_since` and `gone_at` of each endpoint, in the commit of the attempts'
 * outcomes. Attempts of every kind count: first attempts, retries, probes, test events. An endpoint
 * whose state does not change costs a lookup, but no write and no lock, so that the deliveries of a
 * busy endpoint do not queue for its row.
 *
 * Concurrent commits can miss each other: a success may not see the failure that is just being
 * written. The health check reads the attempt log before it acts on `failing_since`, and corrects
 * it.
 */
export async function projectHealth(trx: Transaction<Database>, steps: readonly DeliveryStep[]): Promise<void> {
  const outcomes = outcomesOf(steps);
  if (outcomes.size === 0) return;
  const rows = [...outcomes].map(([id, { hasSucceeded, failingSince, goneAt }]) => {
    return { id, has_succeeded: hasSucceeded, failing_since: failingSince, gone_at: goneAt };
  });
  // Locked in id order, so that two batches that change the same endpoints cannot deadlock.
  await sql`
    update webhook_endpoint set gone_at = changed.gone_at,
      failing_since = case when has_changed then changed.failing_since else webhook_endpoint.failing_since end,
      notices_sent = case when has_changed then 0 else notices_sent end
    from (
      select webhook_endpoint.id, outcome.failing_since, next.has_changed, next.gone_at
      from ${unnestRows('outcome', OUTCOME_COLUMNS, rows)}
      join webhook_endpoint on webhook_endpoint.id = outcome.id
      cross join lateral (
        select
          (outcome.has_succeeded and webhook_endpoint.failing_since is not null)
            or (outcome.failing_since is not null and webhook_endpoint.failing_since is null) as has_changed,
          case
            when outcome.gone_at is not null and webhook_endpoint.disables_on_gone
              then coalesce(webhook_endpoint.gone_at, outcome.gone_at)
            when not outcome.has_succeeded then webhook_endpoint.gone_at
          end as gone_at
      ) as next
      where webhook_endpoint.enabled
        and (next.has_changed or next.gone_at is distinct from webhook_endpoint.gone_at)
      order by webhook_endpoint.id for no key update of webhook_endpoint
    ) as changed
    where webhook_endpoint.id = changed.id`.execute(trx);
}

// Helpers

const OUTCOME_COLUMNS = {
  text: ['id'],
  boolean: ['has_succeeded'],
  timestamptz: ['failing_since', 'gone_at'],
} as const;

interface EndpointOutcome {
  readonly hasSucceeded: boolean;
  /** The first failure, or the first one after the last success; null if none followed it. */
  readonly failingSince: UnixMs | null;
  /** The first response 410, or the first one after the last success; null if none followed it. */
  readonly goneAt: UnixMs | null;
}

const NO_OUTCOME: EndpointOutcome = { hasSucceeded: false, failingSince: null, goneAt: null };

/** What the steps of one batch say about each endpoint, processed in order. */
function outcomesOf(steps: readonly DeliveryStep[]): Map<string, EndpointOutcome> {
  const outcomes = new Map<string, EndpointOutcome>();
  for (const { at, event, context } of steps) {
    const result = resultOf(event as unknown as DeliveryEvent, context);
    const before = outcomes.get(context.endpointId) ?? NO_OUTCOME;
    if (result === 'success') outcomes.set(context.endpointId, { ...NO_OUTCOME, hasSucceeded: true });
    if (result === null || result === 'success') continue;
    const goneAt = before.goneAt ?? (result === 'gone' ? at : null);
    outcomes.set(context.endpointId, { ...before, failingSince: before.failingSince ?? at, goneAt });
  }
  return outcomes;
}

/** Null for events that do not end an attempt. */
function resultOf(event: DeliveryEvent, { deliveredStatus }: DeliveryContext): 'success' | 'failure' | 'gone' | null {
  if (event.type === 'sender.attempt_succeeded' || deliveredStatus !== undefined) return 'success';
  if (event.type !== 'sender.attempt_failed' && event.type !== 'sender.probe_failed') return null;
  if (NOT_SENT.has(event.failure.kind)) return null;
  return event.failure.status === GONE ? 'gone' : 'failure';
}

/** The HTTP status by which a receiver says that it is gone for good. */
const GONE = 410;

/** Failures before anything was sent, which say nothing about the receiver. */
export const NOT_SENT: ReadonlySet<string> = new Set(['secret_unreadable', 'endpoint_gone', 'held_back']);

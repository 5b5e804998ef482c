import { sql, type Transaction } from 'kysely';
import type { DeliveryContext, DeliveryEvent, UnixMs } from '../../machines/index.ts';
import { type Database, unnestRows } from '../platform/db/index.ts';
import type { Step } from '../platform/engine/index.ts';

type DeliveryStep = Step<DeliveryContext>;

/** Writes the progress of each delivery to its row, in the commit of the delivery's step. */
export async function projectDeliveries(trx: Transaction<Database>, steps: readonly DeliveryStep[]): Promise<void> {
  const rows = new Map<string, ProjectedDelivery>();
  for (const step of steps) rows.set(step.actorId, rowOf(step, rows.get(step.actorId)));
  const all = [...rows.values()];
  await insertDeliveries(
    trx,
    all.filter((row) => row.is_new),
  );
  await updateDeliveries(
    trx,
    all.filter((row) => !row.is_new),
  );
}

// Helpers

interface ProjectedDelivery {
  readonly id: string;
  readonly is_new: boolean;
  readonly webhook_event_id: string;
  readonly endpoint_id: string;
  readonly state: string;
  readonly attempt: number;
  /** Whether these steps set `last_status`; otherwise the stored value stays. */
  readonly has_response: boolean;
  readonly last_status: number | null;
  readonly last_failure: string | null;
  readonly created_at: UnixMs;
  readonly ended_at: UnixMs | null;
}

/** The row after a step; `before` is the row after earlier steps of the same batch. */
function rowOf(
  { actorId, outcome, state, context, event }: DeliveryStep,
  before: ProjectedDelivery | undefined,
): ProjectedDelivery {
  // Steps are typed by context only. The chart accepts no other events, and `xstate.init` matches
  // none of the types checked.
  const status = context.deliveredStatus ?? responseStatus(event as unknown as DeliveryEvent);
  return {
    id: actorId,
    is_new: before?.is_new ?? outcome === 'started',
    webhook_event_id: context.webhookEventId,
    endpoint_id: context.endpointId,
    state,
    attempt: context.attempt,
    has_response: status !== undefined || (before?.has_response ?? false),
    last_status: status === undefined ? (before?.last_status ?? null) : status,
    last_failure: context.lastFailure?.kind ?? null,
    created_at: context.owedSince ?? context.createdAt,
    ended_at: context.endedAt,
  };
}

/**
 * HTTP status in the event, null when the attempt got no response; undefined when the event ends no
 * attempt.
 */
function responseStatus(event: DeliveryEvent): number | null | undefined {
  if (event.type === 'sender.attempt_succeeded') return event.status;
  const isResponse = event.type === 'sender.attempt_failed' || event.type === 'sender.probe_failed';
  return isResponse ? event.failure.status : undefined;
}

const PROGRESS_COLUMNS = {
  text: ['id', 'state', 'last_failure'],
  int4: ['attempt', 'last_status'],
  timestamptz: ['ended_at'],
} as const;
const DELIVERY_COLUMNS = {
  ...PROGRESS_COLUMNS,
  text: [...PROGRESS_COLUMNS.text, 'webhook_event_id', 'endpoint_id'],
  timestamptz: [...PROGRESS_COLUMNS.timestamptz, 'created_at'],
} as const;

/** A delivery that was owed until now has a row. */
async function insertDeliveries(trx: Transaction<Database>, rows: readonly ProjectedDelivery[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into webhook_delivery (id, webhook_event_id, endpoint_id, event, state, attempt, last_status, last_failure,
      created_at, ended_at)
    select fresh.id, webhook_event_id, endpoint_id, webhook_event.event, state, attempt, last_status, last_failure,
      fresh.created_at, ended_at
    from ${unnestRows('fresh', DELIVERY_COLUMNS, rows)}
    left join webhook_event on webhook_event.id = fresh.webhook_event_id
    order by fresh.id
    on conflict (id) do update set is_owed = false, state = excluded.state, attempt = excluded.attempt,
      last_status = excluded.last_status, last_failure = excluded.last_failure, ended_at = excluded.ended_at
      where webhook_delivery.is_owed`.execute(trx);
}

async function updateDeliveries(trx: Transaction<Database>, rows: readonly ProjectedDelivery[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update webhook_delivery set state = next.state, attempt = next.attempt, last_failure = next.last_failure,
      last_status = case when next.has_response then next.last_status else webhook_delivery.last_status end,
      ended_at = next.ended_at
    from ${unnestRows('next', { ...PROGRESS_COLUMNS, boolean: ['has_response'] }, rows)}
    where webhook_delivery.id = next.id`.execute(trx);
}

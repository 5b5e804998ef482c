import { type Kysely, sql, type Transaction } from 'kysely';
import { deliveryMachine } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, ReplayStart } from '../../platform/db/index.ts';
import type { Engine } from '../../platform/engine/index.ts';
import { nextDelivery } from './deliveries-so-far.ts';
import { type ReplayPace, readReplayCapacity } from './replay-capacity.ts';
import { type ReplayedEvent, readReplayPage } from './replay-page.ts';

export interface AdvanceDeps {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'start'>;
  readonly clock: Clock;
  readonly pace: ReplayPace;
  /** Called between the steps; tests use it to end the process. */
  readonly crash?: ((point: ReplayCrashPoint) => void) | undefined;
}

/**
 * `after_reserve`: the deliveries to start are stored. `half_started`: some have started.
 * `after_start`: all have.
 */
export type ReplayCrashPoint = 'after_reserve' | 'half_started' | 'after_start';

/** Events read per step. */
const PAGE_EVENTS = 200;

/**
 * Advances a running replay by one page, in three steps; the process may crash after any of them:
 *
 * 1. Under a lock on the replay row, the deliveries to start are stored together with the new
 *    cursor.
 * 2. They are started. Their ids are fixed, so repeating this, or doing it in two processes
 *    concurrently, starts nothing twice.
 * 3. They are counted, and the stored list is cleared.
 *
 * A process that finds a stored list starts those deliveries before it reads further. Resolves with
 * false when there is nothing to do now: the replay has ended, another process holds the lock, or
 * the endpoint has enough deliveries in progress.
 */
export async function advanceReplay(deps: AdvanceDeps, replayId: string): Promise<boolean> {
  const { db, engine, crash } = deps;
  const reserved = await db.transaction().execute((trx) => reserveStarts(deps, trx, replayId));
  if (reserved === null) return false;
  crash?.('after_reserve');
  const middle = Math.floor(reserved.starts.length / 2);
  await start(engine, reserved.endpointId, reserved.starts.slice(0, middle));
  crash?.('half_started');
  await start(engine, reserved.endpointId, reserved.starts.slice(middle));
  crash?.('after_start');
  if (reserved.starts.length > 0) await countStarted(db, replayId, reserved);
  return true;
}

// Helpers

interface ReservedStarts {
  readonly endpointId: string;
  readonly starts: readonly ReplayStart[];
  /** The last event read. */
  readonly cursorEventId: string | null;
}

async function reserveStarts(
  deps: AdvanceDeps,
  trx: Transaction<Database>,
  replayId: string,
): Promise<ReservedStarts | null> {
  const { rows } = await sql<LockedReplay>`
    select endpoint_id, cursor_event_id, pending, endpoint.enabled and endpoint.deleted_at is null as is_endpoint_on
    from webhook_replay join webhook_endpoint as endpoint on endpoint.id = endpoint_id
    where webhook_replay.id = ${replayId} and state = 'running'
    for update of webhook_replay skip locked`.execute(trx);
  const [found] = rows;
  if (found === undefined) return null;
  const { endpoint_id: endpointId, cursor_event_id: cursorEventId, pending } = found;
  if (!found.is_endpoint_on) return end(deps, trx, replayId, 'cancelled');
  if (pending !== null) return { endpointId, cursorEventId, starts: pending };
  const capacity = await readReplayCapacity(trx, endpointId, deps.pace);
  // One event is read even without capacity: there may be none left, or one that needs no delivery.
  const events = await readReplayPage(trx, { replayId, limit: capacity === 0 ? 1 : PAGE_EVENTS });
  if (events.length === 0) return end(deps, trx, replayId, 'done');
  const page = upToCapacity(events, capacity);
  const last = page.at(-1)?.webhookEventId;
  if (last === undefined) return null;
  const starts = page.filter(({ isDue }) => isDue).map(toStart);
  // The first delivery is tried even while the endpoint is held back: if it succeeds, the others
  // follow immediately.
  const [first, ...rest] = starts;
  const marked = first === undefined || cursorEventId !== null ? starts : [{ ...first, isRequested: true }, ...rest];
  await sql`
    update webhook_replay set cursor_event_id = ${last}, events_seen = events_seen + ${page.length},
      cursor_created_at = (select created_at from webhook_event where id = ${last}),
      pending = ${marked.length === 0 ? null : JSON.stringify(marked)}::jsonb
    where id = ${replayId}`.execute(trx);
  return { endpointId, cursorEventId: last, starts: marked };
}

interface LockedReplay {
  endpoint_id: string;
  cursor_event_id: string | null;
  pending: readonly ReplayStart[] | null;
  is_endpoint_on: boolean;
}

async function end(
  { clock }: AdvanceDeps,
  trx: Transaction<Database>,
  replayId: string,
  state: 'done' | 'cancelled',
): Promise<null> {
  await trx
    .updateTable('webhook_replay')
    .set({ state, ended_at: new Date(clock.now()), pending: null })
    .where('id', '=', replayId)
    .execute();
  return null;
}

/** The page up to the last event there is capacity for. */
function upToCapacity(page: readonly ReplayedEvent[], capacity: number): readonly ReplayedEvent[] {
  let due = 0;
  const beyond = page.findIndex(({ isDue }) => {
    due += isDue ? 1 : 0;
    return due > capacity;
  });
  return beyond === -1 ? page : page.slice(0, beyond);
}

function toStart(event: ReplayedEvent): ReplayStart {
  const { deliveryId, webhookEventId, earlierAttempts } = nextDelivery(event);
  return { deliveryId, webhookEventId, earlierAttempts, isRequested: false };
}

async function start(engine: AdvanceDeps['engine'], endpointId: string, starts: readonly ReplayStart[]): Promise<void> {
  await Promise.all(
    starts.map((each) => {
      const input = { ...each, endpointId };
      return engine.start({ kind: deliveryMachine.id, actorId: each.deliveryId, startKey: null, input });
    }),
  );
}

/**
 * When several processes have started the same list, only one counts it. Also counts when the
 * replay was cancelled in between.
 */
async function countStarted(
  db: Kysely<Database>,
  replayId: string,
  { starts, cursorEventId }: ReservedStarts,
): Promise<void> {
  await sql`
    update webhook_replay set events_sent = events_sent + ${starts.length}, pending = null
    where id = ${replayId} and cursor_event_id = ${cursorEventId} and pending is not null`.execute(db);
}

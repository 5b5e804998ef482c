import { type Kysely, sql, type Transaction } from 'kysely';
import { deliveryMachine } from '../../../machines/index.ts';
import type { Clock } from '../../clock.ts';
import type { Database, ReplayStart } from '../../db/index.ts';
import type { Engine } from '../../engine/index.ts';
import { nextDelivery } from './deliveries-so-far.ts';
import { type ReplayedEvent, readReplayPage } from './replay-page.ts';
import { type ReplayPace, readReplayRoom } from './replay-room.ts';

export interface AdvanceDeps {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'start'>;
  readonly clock: Clock;
  readonly pace: ReplayPace;
  /** Called between the steps, where tests end the process. */
  readonly crash?: (point: ReplayCrashPoint) => void;
}

/** `after_promise`: deliveries are written down. `half_started`: some have started. `after_start`: all have. */
export type ReplayCrashPoint = 'after_promise' | 'half_started' | 'after_start';

/** Events looked at in one step. */
const PAGE_EVENTS = 200;

/**
 * Takes a running replay one page further, in three steps that may each be the last of this process:
 *
 * 1. Under the lock of its row, what is to be started is written down together with the new cursor.
 * 2. It is started. Each delivery has its id already, so doing this again, or in two processes at once, starts nothing twice.
 * 3. It is counted, and the promise is taken off the row.
 *
 * Whoever finds a promise keeps it before looking further. Resolves with false when there is nothing to do now: the replay has
 * ended, another process has it in hand, or the endpoint has enough under way.
 */
export async function advanceReplay(deps: AdvanceDeps, replayId: string): Promise<boolean> {
  const { db, engine, crash } = deps;
  const promised = await db.transaction().execute((trx) => promise(deps, trx, replayId));
  if (promised === null) return false;
  crash?.('after_promise');
  const middle = Math.floor(promised.starts.length / 2);
  await start(engine, promised.endpointId, promised.starts.slice(0, middle));
  crash?.('half_started');
  await start(engine, promised.endpointId, promised.starts.slice(middle));
  crash?.('after_start');
  if (promised.starts.length > 0) await settle(db, replayId, promised);
  return true;
}

// Helpers

interface Promised {
  readonly endpointId: string;
  readonly starts: readonly ReplayStart[];
  /** The last event looked at. */
  readonly cursorEventId: string | null;
}

async function promise(deps: AdvanceDeps, trx: Transaction<Database>, replayId: string): Promise<Promised | null> {
  const { rows } = await sql<ReplayInHand>`
    select endpoint_id, cursor_event_id, pending, endpoint.enabled and endpoint.deleted_at is null as is_endpoint_on
    from webhook_replay join webhook_endpoint as endpoint on endpoint.id = endpoint_id
    where webhook_replay.id = ${replayId} and state = 'running'
    for update of webhook_replay skip locked`.execute(trx);
  const [found] = rows;
  if (found === undefined) return null;
  const { endpoint_id: endpointId, cursor_event_id: cursorEventId, pending } = found;
  if (!found.is_endpoint_on) return end(deps, trx, replayId, 'cancelled');
  if (pending !== null) return { endpointId, cursorEventId, starts: pending };
  const room = await readReplayRoom(trx, endpointId, deps.pace);
  // Without room one is looked at all the same: there may be none, or one that needs no delivery.
  const events = await readReplayPage(trx, { replayId, limit: room === 0 ? 1 : PAGE_EVENTS });
  if (events.length === 0) return end(deps, trx, replayId, 'done');
  const page = upToRoom(events, room);
  const last = page.at(-1)?.webhookEventId;
  if (last === undefined) return null;
  const starts = page.filter(({ isDue }) => isDue).map(toStart);
  // The first one is tried even while the endpoint is held back: when it has recovered, the others follow at once.
  const [first, ...rest] = starts;
  const marked = first === undefined || cursorEventId !== null ? starts : [{ ...first, isRequested: true }, ...rest];
  await sql`
    update webhook_replay set cursor_event_id = ${last}, events_seen = events_seen + ${page.length},
      cursor_created_at = (select created_at from webhook_event where id = ${last}),
      pending = ${marked.length === 0 ? null : JSON.stringify(marked)}::jsonb
    where id = ${replayId}`.execute(trx);
  return { endpointId, cursorEventId: last, starts: marked };
}

interface ReplayInHand {
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

/** The page up to the last event there is room for. */
function upToRoom(page: readonly ReplayedEvent[], room: number): readonly ReplayedEvent[] {
  let due = 0;
  const beyond = page.findIndex(({ isDue }) => {
    due += isDue ? 1 : 0;
    return due > room;
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

/** Of several processes that have kept the promise, one counts it. Also when the replay was cancelled meanwhile. */
async function settle(db: Kysely<Database>, replayId: string, { starts, cursorEventId }: Promised): Promise<void> {
  await sql`
    update webhook_replay set events_sent = events_sent + ${starts.length}, pending = null
    where id = ${replayId} and cursor_event_id = ${cursorEventId} and pending is not null`.execute(db);
}

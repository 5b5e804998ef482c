import type { Kysely } from 'kysely';
import { DAY_MS, type UnixMs } from '../../../machines/index.ts';
import { type RequestAuthor, writeAudit } from '../../merchants/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { RetryableError, TerminalError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { EndpointOfMerchant } from '../endpoints/endpoint.ts';
import { getEndpoint } from '../endpoints/find-endpoints.ts';
import { REPLAY_COLUMNS, type Replay } from './replay.ts';

/** Maximum age of the start of a replay, in days. */
export const MAX_REPLAY_DAYS = 60;
/**
 * Maximum number of tries. Each further one means that the running replay ended just when it was
 * read.
 */
const MAX_TRIES = 5;
/** The clocks of processes that stamp events may differ by this much. */
export const CLOCK_MARGIN_MS = 60_000;

export interface ReplayRange {
  readonly since: UnixMs;
  /** Now if omitted. See `readsUntil`. */
  readonly until?: UnixMs | undefined;
  /** Excludes events that were never tried; false if omitted. */
  readonly onlyFailed?: boolean | undefined;
}

export interface ReplayInput extends EndpointOfMerchant, ReplayRange {
  /** The user, for the audit log; omitted for API clients. */
  readonly author?: RequestAuthor;
}

/**
 * Starts a replay of everything in the range that an endpoint has not accepted. Returns the running
 * replay of the endpoint if there is one, regardless of its range. Throws a `TerminalError`:
 * `INVALID_REQUEST` for a time in the future or too long ago or an empty range,
 * `WEBHOOK_ENDPOINT_NOT_FOUND`, or `INVALID_STATE` when the endpoint is disabled.
 */
export async function requestReplay(
  { db, clock }: { readonly db: Kysely<Database>; readonly clock: Clock },
  input: ReplayInput,
): Promise<Replay> {
  const { merchantId, endpointId } = input;
  requireReplayable(input, clock.now());
  const { enabled } = await getEndpoint(db, { merchantId, endpointId });
  if (!enabled) throw new TerminalError('INVALID_STATE', 'The endpoint is disabled: enable it first, then replay.');
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    // Read after the endpoint: events that missed it while it was disabled are stamped before.
    const now = clock.now();
    const replay = (await beginAudited(db, { ...input, now })) ?? (await findRunning(db, endpointId));
    if (replay !== null) return replay;
  }
  throw new RetryableError('REPLAY_BUSY', 'Other replays of this endpoint keep changing; try again shortly');
}

/** Throws a `TerminalError` `INVALID_REQUEST` when there can be no replay of this range. */
export function requireReplayable(range: ReplayRange, now: UnixMs): void {
  const { since, until = now } = range;
  if (since > now) throw rejected('since', 'since is in the future; set it to the start of the replay');
  if (since < now - MAX_REPLAY_DAYS * DAY_MS) {
    throw rejected('since', `since must be at most ${MAX_REPLAY_DAYS} days ago`);
  }
  if (until > now) throw rejected('until', 'until is in the future; omit it to replay up to now');
  if (until < since) throw rejected('until', 'until is before since; set it to the end of the replay');
}

/**
 * The last moment whose events a replay reads. One requested up to its own time reads a minute
 * further: a process whose clock is ahead may have stamped an event that missed the endpoint.
 */
export function readsUntil({ until, createdAt }: Pick<Replay, 'until' | 'createdAt'>): UnixMs {
  return until === createdAt ? until + CLOCK_MARGIN_MS : until;
}

// Helpers

function rejected(field: 'since' | 'until', message: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', message, { field });
}

interface AuditedReplayInput extends ReplayInput {
  readonly now: UnixMs;
}

/** Null when a replay is already running: nothing is started or audited then. */
function beginAudited(db: Kysely<Database>, input: AuditedReplayInput): Promise<Replay | null> {
  return db.transaction().execute(async (trx) => {
    const replay = await begin(trx, input);
    const { merchantId, endpointId: subjectId, author } = input;
    if (replay !== null && author !== undefined) {
      const { id: replayId, since, until, onlyFailed } = replay;
      const details = { replayId, since, until, onlyFailed };
      const entry = { merchantId, what: 'webhook_endpoint.replay_started', subjectId, details } as const;
      await writeAudit({ ...author, trx }, entry);
    }
    return replay;
  });
}

async function begin(db: Kysely<Database>, input: AuditedReplayInput): Promise<Replay | null> {
  const { merchantId, endpointId, since, now, until = now, onlyFailed = false } = input;
  const replay = await db
    .insertInto('webhook_replay')
    .values({
      id: newId('rpl'),
      merchant_id: merchantId,
      endpoint_id: endpointId,
      since: new Date(since),
      until: new Date(until),
      only_failed: onlyFailed,
      state: 'running',
      cursor_event_id: null,
      created_at: new Date(now),
    })
    .onConflict((conflict) => conflict.column('endpoint_id').where('state', '=', 'running').doNothing())
    .returning(REPLAY_COLUMNS)
    .executeTakeFirst();
  return replay ?? null;
}

async function findRunning(db: Kysely<Database>, endpointId: string): Promise<Replay | null> {
  const replay = await db
    .selectFrom('webhook_replay')
    .select(REPLAY_COLUMNS)
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return replay ?? null;
}

import { type Kysely, sql } from 'kysely';
import { type Bus, partitionOf } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import {
  deletePendingObservations,
  type Engine,
  type EventCommand,
  isEventCommand,
} from '../../platform/engine/index.ts';
import { invalidCursor, TerminalError } from '../../platform/errors.ts';
import type { DeadLetterInfo } from '../types.ts';

export interface DeadLetterDeps {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'deliver'>;
  readonly bus: Pick<Bus, 'publish'>;
  readonly clock: Clock;
}

export interface DeadLetterPage {
  readonly deadLetters: readonly DeadLetterInfo[];
  readonly total: number;
  readonly cursor: string | null;
}

export const MAX_DEAD_LETTERS_PER_PAGE = 200;

export interface DeadLetterListRequest {
  readonly cursor: string | null;
  readonly limit: number;
  /** Left out: all queues. */
  readonly queue?: string;
  /** Substring of the reason, case-insensitive. */
  readonly reason?: string;
  readonly actorId?: string;
}

/**
 * Unresolved dead letters, oldest first. A filter scans all of them, which is cheap as long as
 * operators keep their number low. Throws `INVALID_CURSOR`.
 */
export async function listDeadLetters(
  db: Kysely<Database>,
  { cursor, limit, queue, reason, actorId }: DeadLetterListRequest,
): Promise<DeadLetterPage> {
  const after = cursor === null ? null : readDeadLetterCursor(cursor);
  const pageSize = Math.min(limit, MAX_DEAD_LETTERS_PER_PAGE);
  const isAfter =
    after === null ? sql`true` : sql`(created_at, id) > (select created_at, id from dead_letter where id = ${after})`;
  const isListed = sql`resolved_at is null
    and (${queue ?? null}::text is null or queue = ${queue ?? null})
    and (${actorId ?? null}::text is null or actor_id = ${actorId ?? null})
    and (${reason ?? null}::text is null or position(lower(${reason ?? null}::text) in lower(reason)) > 0)`;
  const [{ rows }, counted] = await Promise.all([
    sql<DeadLetterInfo>`
        select id::text as id, queue, actor_id as "actorId", reason, created_at as at, data, retries,
          retry_at as "retryAt" from dead_letter
        where ${isListed} and ${isAfter} order by created_at, id limit ${pageSize + 1}`.execute(db),
    sql<{ total: number }>`select count(*) as total from dead_letter where ${isListed}`.execute(db),
  ]);
  const deadLetters = rows.slice(0, pageSize);
  const next = rows.length > pageSize ? (deadLetters.at(-1)?.id ?? null) : null;
  return { deadLetters, total: counted.rows[0]?.total ?? 0, cursor: next };
}

/**
 * Retries a dead letter. An event is delivered to its actor immediately under its original id, so
 * that it counts once; the dead letter is resolved when the actor has applied or ignored it. Any
 * other message is published under a new message id, because a broker drops recent duplicates by
 * id; consumers deduplicate by content. A message that fails again becomes a dead letter again.
 * Resolves with the result. Throws `DEAD_LETTER_NOT_FOUND`, also for one that is already resolved.
 */
export async function retryDeadLetter(deps: DeadLetterDeps, letterId: string): Promise<'settled' | 'failed'> {
  const letter = await findOpen(deps.db, letterId);
  const { data } = letter;
  if (isEventCommand(data)) return redeliver(deps, letterId, data);
  const { queue, message_id: messageId } = letter;
  const now = deps.clock.now();
  await deps.bus.publish({ queue, partition: partitionOf(messageId), id: `${messageId}:again:${now}`, data });
  await resolve(deps, letterId);
  return 'settled';
}

/**
 * Resolves a dead letter without a retry: timers held back by its event may fire. Throws
 * `DEAD_LETTER_NOT_FOUND`, also for one that is already resolved.
 */
export async function dismissDeadLetter(deps: Pick<DeadLetterDeps, 'db' | 'clock'>, letterId: string): Promise<void> {
  const { data } = await findOpen(deps.db, letterId);
  if (isEventCommand(data)) await deletePendingObservations(deps.db, [data]);
  await resolve(deps, letterId);
}

// Helpers

interface OpenDeadLetter {
  readonly queue: string;
  readonly message_id: string;
  readonly data: unknown;
}

async function redeliver(deps: DeadLetterDeps, letterId: string, command: EventCommand): Promise<'settled' | 'failed'> {
  const { outcome } = await deps.engine.deliver(command);
  // After another failure the dead letter has a new date and reason; without
  // an actor it is unchanged.
  if (outcome === 'failed' || outcome === 'unknown_actor') return 'failed';
  await resolve(deps, letterId);
  return 'settled';
}

async function findOpen(db: Kysely<Database>, letterId: string): Promise<OpenDeadLetter> {
  const found = LETTER_ID.test(letterId)
    ? await sql<OpenDeadLetter>`
          select queue, message_id, data from dead_letter
          where id = ${letterId}::int8 and resolved_at is null`.execute(db)
    : { rows: [] };
  if (found.rows[0] !== undefined) return found.rows[0];
  throw new TerminalError('DEAD_LETTER_NOT_FOUND', `There is no open dead letter ${letterId}`);
}

async function resolve({ db, clock }: Pick<DeadLetterDeps, 'db' | 'clock'>, letterId: string): Promise<void> {
  await sql`update dead_letter set resolved_at = ${new Date(clock.now())} where id = ${letterId}::int8`.execute(db);
}

/** Below 2^53, like all ids here. */
const LETTER_ID = /^\d{1,15}$/;

function readDeadLetterCursor(cursor: string): string {
  if (LETTER_ID.test(cursor)) return cursor;
  throw invalidCursor();
}

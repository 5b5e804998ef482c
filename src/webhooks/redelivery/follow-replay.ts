import type { Kysely } from 'kysely';
import { type RequestAuthor, writeAudit } from '../../merchants/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import type { EndpointOfMerchant } from '../endpoints/endpoint.ts';
import { REPLAY_COLUMNS, type Replay, type ReplayOfMerchant, replayNotFound } from './replay.ts';

/**
 * The state of a replay. Throws a `TerminalError` `WEBHOOK_REPLAY_NOT_FOUND`, also for another
 * merchant's.
 */
export async function getReplay(
  { db }: { readonly db: Kysely<Database> },
  { merchantId, replayId }: ReplayOfMerchant,
): Promise<Replay> {
  const replay = await db
    .selectFrom('webhook_replay')
    .select(REPLAY_COLUMNS)
    .where('id', '=', replayId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  if (replay === undefined) throw replayNotFound(replayId);
  return replay;
}

/** The newest replay of an endpoint; null without one, also for another merchant's endpoint. */
export async function findNewestReplay(
  { db }: { readonly db: Kysely<Database> },
  { merchantId, endpointId }: EndpointOfMerchant,
): Promise<Replay | null> {
  const replay = await db
    .selectFrom('webhook_replay')
    .select(REPLAY_COLUMNS)
    .where('endpoint_id', '=', endpointId)
    .where('merchant_id', '=', merchantId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return replay ?? null;
}

/**
 * Cancels a replay. Deliveries it has started continue; a replay that has ended stays as it is.
 * `author` is the user, for the audit log. Throws like `getReplay`.
 */
export async function cancelReplay(
  deps: { readonly db: Kysely<Database>; readonly clock: Clock },
  { merchantId, replayId, author }: ReplayOfMerchant & { readonly author?: RequestAuthor },
): Promise<Replay> {
  await deps.db.transaction().execute(async (trx) => {
    const ended = await trx
      .updateTable('webhook_replay')
      .set({ state: 'cancelled', ended_at: new Date(deps.clock.now()) })
      .where('id', '=', replayId)
      .where('merchant_id', '=', merchantId)
      .where('state', '=', 'running')
      .returning('endpoint_id')
      .executeTakeFirst();
    if (ended === undefined || author === undefined) return;
    const entry = { merchantId, what: 'webhook_endpoint.replay_cancelled', subjectId: ended.endpoint_id } as const;
    await writeAudit({ ...author, trx }, { ...entry, details: { replayId } });
  });
  return getReplay(deps, { merchantId, replayId });
}

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { createPollLoop, type PollLoop } from '../../platform/poll-loop.ts';
import { type AdvanceDeps, advanceReplay } from './advance-replay.ts';
import { createBlockedReplayReport, OLDER_TRANSACTIONS } from './blocked-replay.ts';
import { REPLAY_PACE } from './replay-capacity.ts';

export interface ReplayWorkerDeps extends Omit<AdvanceDeps, 'pace'>, Partial<Pick<AdvanceDeps, 'pace'>> {
  readonly log: Log;
  readonly pollEveryMs?: number;
}

/** Poll interval while replays run, in ms. */
const POLL_EVERY_MS = 500;
/** Poll interval while none does, in ms. */
const IDLE_POLL_EVERY_MS = 2_000;
/** Replays advanced by one page per round; the next round continues after them. */
const ROUND_REPLAYS = 50;

/**
 * Advances the running replays, one page each in turn. Any number of processes may run one; the
 * next continues with what a stopped one has left.
 */
export function createReplayWorker(deps: ReplayWorkerDeps): PollLoop {
  const { db, engine, clock, log, crash, pace = REPLAY_PACE } = deps;
  const { pollEveryMs = POLL_EVERY_MS } = deps;
  const idlePollEveryMs = deps.pollEveryMs ?? IDLE_POLL_EVERY_MS;
  const advanceDeps: AdvanceDeps = { db, engine, clock, pace, crash };
  const blocked = createBlockedReplayReport(log);
  let lastEndpointId = '';
  let isIdle = true;

  async function round(stopping: AbortSignal): Promise<boolean> {
    const replays = await findRunning(db, lastEndpointId);
    isIdle = replays.length === 0 && lastEndpointId === '';
    lastEndpointId = replays.length < ROUND_REPLAYS ? '' : (replays.at(-1)?.endpointId ?? '');
    let hasMoved = false;
    for (const { id } of replays) {
      if (stopping.aborted) return false;
      if (await advance(id)) hasMoved = true;
    }
    return hasMoved;
  }

  /** A replay that fails must not block the others. */
  async function advance(replayId: string): Promise<boolean> {
    try {
      return await advanceReplay(advanceDeps, replayId);
    } catch (error) {
      log.warn({ replayId, reason: messageOf(error) }, 'a replay of webhooks was interrupted; retrying');
      return false;
    }
  }

  return createPollLoop({
    async work(stopping) {
      while (!stopping.aborted && (await round(stopping)));
      await blocked.check(db, clock.now());
      return isIdle ? idlePollEveryMs : pollEveryMs;
    },
    everyMs: pollEveryMs,
    onFailure: (error) => log.error({ reason: messageOf(error) }, 'replays of webhooks cannot be read; retrying'),
  });
}

// Helpers

/**
 * Running replays in the order of their endpoints; an endpoint has at most one. A new one waits for
 * older transactions.
 */
async function findRunning(
  db: Kysely<Database>,
  afterEndpointId: string,
): Promise<{ id: string; endpointId: string }[]> {
  return db
    .selectFrom('webhook_replay')
    .select(['id', 'endpoint_id as endpointId'])
    .where('state', '=', 'running')
    .where('endpoint_id', '>', afterEndpointId)
    .where(sql<boolean>`(cursor_event_id is not null or not exists (select 1 from ${OLDER_TRANSACTIONS}))`)
    .orderBy('endpoint_id')
    .limit(ROUND_REPLAYS)
    .execute();
}

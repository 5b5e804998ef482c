import type { Selectable } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';
import { TerminalError } from '../../errors.ts';

/**
 * Everything an endpoint has not taken since a moment, sent to it again in the background.
 *
 * - running    events are looked at, oldest first, and deliveries are started
 * - done       every event was looked at; deliveries that were started go on by themselves
 * - cancelled  by the merchant, or because the endpoint was disabled or deleted; the same goes for what was started
 */
export const REPLAY_STATES = ['running', 'done', 'cancelled'] as const;

export interface Replay {
  readonly id: string;
  readonly endpointId: string;
  /** Events created from this moment … */
  readonly since: UnixMs;
  /** … up to this one, which is when somebody asked for it. */
  readonly until: UnixMs;
  readonly state: (typeof REPLAY_STATES)[number];
  /** Events of the merchant that were looked at. */
  readonly eventsSeen: number;
  /** Those of them that a delivery was started for. */
  readonly eventsSent: number;
  readonly createdAt: UnixMs;
  readonly endedAt: UnixMs | null;
}

/** One replay, as its merchant names it. */
export interface ReplayOfMerchant {
  readonly merchantId: string;
  readonly replayId: string;
}

export const REPLAY_COLUMNS = [
  'id',
  'endpoint_id',
  'since',
  'until',
  'state',
  'events_seen',
  'events_sent',
  'created_at',
  'ended_at',
] as const;

type ReplayRow = Pick<Selectable<Database['webhook_replay']>, (typeof REPLAY_COLUMNS)[number]>;

export function toReplay(row: ReplayRow): Replay {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    since: row.since,
    until: row.until,
    state: row.state,
    eventsSeen: row.events_seen,
    eventsSent: row.events_sent,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  };
}

export function replayNotFound(replayId: string): TerminalError {
  return new TerminalError('WEBHOOK_REPLAY_NOT_FOUND', `There is no replay ${replayId}.`);
}

import type { UnixMs } from '../../../machines/index.ts';
import { TerminalError } from '../../platform/errors.ts';

/**
 * A replay sends an endpoint everything of a time range that it has not accepted, in the
 * background.
 *
 * - running    reads events, oldest first, and starts deliveries
 * - done       all events were read; deliveries that were started continue on their own
 * - cancelled  by the merchant, or because the endpoint was disabled or deleted; deliveries that
 *              were started continue as well
 */
export const REPLAY_STATES = ['running', 'done', 'cancelled'] as const;

export interface Replay {
  readonly id: string;
  readonly endpointId: string;
  /** Start of the range of creation times. */
  readonly since: UnixMs;
  /** End of the range; at most the time of the request. */
  readonly until: UnixMs;
  /** Sends only events with a failed delivery, not those that were never tried. */
  readonly onlyFailed: boolean;
  readonly state: (typeof REPLAY_STATES)[number];
  /** Events of the merchant that were read. */
  readonly eventsSeen: number;
  /** Events for which a delivery was started. */
  readonly eventsSent: number;
  readonly createdAt: UnixMs;
  readonly endedAt: UnixMs | null;
}

export interface ReplayOfMerchant {
  readonly merchantId: string;
  readonly replayId: string;
}

export const REPLAY_COLUMNS = [
  'id',
  'endpoint_id as endpointId',
  'since',
  'until',
  'only_failed as onlyFailed',
  'state',
  'events_seen as eventsSeen',
  'events_sent as eventsSent',
  'created_at as createdAt',
  'ended_at as endedAt',
] as const;

export function replayNotFound(replayId: string): TerminalError {
  return new TerminalError('WEBHOOK_REPLAY_NOT_FOUND', `There is no replay ${replayId}.`);
}

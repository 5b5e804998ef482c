import { MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { UtxoNode } from './node.ts';

/** Above this difference one of two clocks is not set by NTP. */
const MAX_DIFFERENCE_MS = MINUTE_MS;

/**
 * A sentence for the operator when the clock of the node's machine differs from the service's by
 * more than a minute; null otherwise, and when the node does not report it.
 */
export async function clockErrorOf(node: Pick<UtxoNode, 'clock'>, clock: Clock): Promise<string | null> {
  const requestedAt = clock.now();
  const time = await node.clock();
  return time === null ? null : clockError({ requestedAt, time, respondedAt: clock.now() });
}

// Helpers

interface TimedResponse {
  readonly requestedAt: UnixMs;
  readonly time: UnixMs;
  readonly respondedAt: UnixMs;
}

function clockError({ requestedAt, time, respondedAt }: TimedResponse): string | null {
  const behindMs = requestedAt - time;
  const aheadMs = time - respondedAt;
  if (Math.max(behindMs, aheadMs) <= MAX_DIFFERENCE_MS) return null;
  const isBehind = behindMs > 0;
  return (
    `The node's clock is ${inWords(isBehind ? behindMs : aheadMs)} ${isBehind ? 'behind' : 'ahead of'} this machine's. ` +
    'It dates coins that arrive while this service is stopped: ' +
    `coins that arrived ${isBehind ? 'too late may count as in time' : 'in time may count as late'}. ` +
    'Synchronize both clocks with NTP.'
  );
}

function inWords(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

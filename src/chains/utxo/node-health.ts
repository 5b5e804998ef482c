import { MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { NodeInfo, UtxoNode } from './node.ts';

/** Sentences for the operator about problems that do not stop polling. */
export function warningsAbout(info: NodeInfo, behind: string | null, clockError: string | null): string[] {
  const warnings: string[] = [];
  if (behind !== null) {
    warnings.push(
      `${sentence(behind)}: until then, payment windows of this network are held open and nothing is confirmed.`,
    );
  }
  if (info.keepsBlocksFrom !== null) {
    warnings.push(
      `The node is pruned and has no blocks below ${info.keepsBlocksFrom}: catching up or rescanning older blocks ` +
        'is impossible. Run it without -prune, or with a limit that covers the longest downtime.',
    );
  }
  if (clockError !== null) warnings.push(clockError);
  return warnings;
}

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

function sentence(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** Above this difference one of two clocks is not set by NTP. */
const MAX_DIFFERENCE_MS = MINUTE_MS;

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

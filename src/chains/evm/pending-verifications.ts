import { type CryptoSymbol, MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TrackedOutput } from '../port.ts';
import type { Unproven } from './outputs/unproven.ts';

/** Outputs whose last verification got no response, for the warnings of the watcher. */
export interface PendingVerifications {
  record(outputs: readonly TrackedOutput[], unproven: ReadonlyMap<string, Unproven>): void;
  warnings(): string[];
}

/**
 * A waiting payment verifies again every ten minutes (`VERIFICATION_OVERDUE_MS`). One that does not
 * no longer needs a response: its output is gone, or the payment has ended.
 */
const FORGOTTEN_MS = 30 * MINUTE_MS;

export function createPendingVerifications(clock: Clock): PendingVerifications {
  const waiting = new Map<
    string,
    { readonly asset: CryptoSymbol; readonly why: Unproven; readonly recordedAt: UnixMs }
  >();

  function forgetOld(): void {
    const now = clock.now();
    for (const [outputId, { recordedAt }] of waiting) if (now - recordedAt >= FORGOTTEN_MS) waiting.delete(outputId);
  }

  function warningOf(asset: CryptoSymbol, why: Unproven): string {
    return why === 'unread'
      ? `Payments in ${asset} cannot be confirmed: ${asset} is not watched. Add its contract to ETH_TOKENS and restart the service.`
      : `Payments in ${asset} cannot be confirmed: the node does not find them in the blocks that contain them. Compare it with another node.`;
  }

  return {
    record(outputs, unproven) {
      for (const { outputId, asset } of outputs) {
        const why = unproven.get(outputId);
        if (why === undefined) waiting.delete(outputId);
        else waiting.set(outputId, { asset, why, recordedAt: clock.now() });
      }
      forgetOld();
    },
    warnings() {
      forgetOld();
      return [...new Set([...waiting.values()].map(({ asset, why }) => warningOf(asset, why)))];
    },
  };
}

import type { CryptoSymbol } from '../../../machines/index.ts';
import type { TrackedOutput } from '../port.ts';
import type { Unproven } from './unproven.ts';

/** Outputs whose last verification got no answer, for the warnings of the watcher. */
export interface Unanswered {
  note(outputs: readonly TrackedOutput[], unproven: ReadonlyMap<string, Unproven>): void;
  warnings(): string[];
}

export function createUnanswered(): Unanswered {
  const waiting = new Map<string, { readonly asset: CryptoSymbol; readonly why: Unproven }>();

  function warningOf(asset: CryptoSymbol, why: Unproven): string {
    return why === 'unread'
      ? `Payments in ${asset} wait for confirmations: ${asset} is not read here. Name its contract in ETH_TOKENS and start the service again.`
      : `Payments in ${asset} wait for confirmations: the node does not find them in the blocks that have them. Compare it with another node.`;
  }

  return {
    note(outputs, unproven) {
      for (const { outputId, asset } of outputs) {
        const why = unproven.get(outputId);
        if (why === undefined) waiting.delete(outputId);
        else waiting.set(outputId, { asset, why });
      }
    },
    warnings: () => [...new Set([...waiting.values()].map(({ asset, why }) => warningOf(asset, why)))],
  };
}

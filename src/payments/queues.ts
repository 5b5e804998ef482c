import type { CryptoSymbol } from '../../machines/index.ts';

/** Queues of the payments feature, except for the events of its actors. */

/** Requests to the watcher of a network to verify the depth of outputs. */
export function verifyQueue(network: string): string {
  return `verify-${network}`;
}

/** Requests to the watcher of a network to look for a transaction. */
export function searchQueue(network: string): string {
  return `search-${network}`;
}

export interface SearchMessage {
  /** As the network's nodes write it. */
  readonly txid: string;
  /** Where to look when the node has no index of all transactions. */
  readonly height?: number;
}

/** All simulated networks share one queue: every transaction has its own chain. */
export const SIMULATED_VERIFY_QUEUE = 'verify-simulated';

export const OPERATOR_ALERT_QUEUE = 'operator-alert';

/** Message of a verify queue. Amounts are base-unit strings. */
export interface VerifyMessage {
  readonly transactionId: string;
  readonly crypto: CryptoSymbol;
  readonly requiredConfirmations: number;
  readonly outputs: readonly {
    readonly outputId: string;
    readonly txid: string | null;
    readonly amountBaseUnits: string;
    readonly firstSeenAt: number;
    readonly height: number | null;
  }[];
}

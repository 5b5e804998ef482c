import type { CryptoSymbol } from '../../machines/index.ts';

/** Queues of the payments feature beside the events of its actors. */

/** The watcher of a network is asked how deep outputs are. */
export function verifyQueue(network: string): string {
  return `verify-${network}`;
}

/** All simulated networks share one queue: every transaction is a chain of its own. */
export const SIMULATED_VERIFY_QUEUE = 'verify-simulated';

/** Alarms that a person must see. */
export const OPERATOR_ALERT_QUEUE = 'operator-alert';

/** What travels in a verify queue. Amounts are base-unit strings. */
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

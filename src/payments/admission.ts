import type { Transaction } from 'kysely';
import type { Database } from '../db/index.ts';
import type { StartDraft } from '../engine/index.ts';
import type { TerminalError } from '../errors.ts';
import { isSimulated } from './network-gates.ts';

/** A payment somebody wants to start. */
export interface WantedStart {
  readonly merchantId: string;
  readonly type: 'basic' | 'detailed' | 'billing';
  /** On the simulated network of test keys: no coins will move. */
  readonly simulated: boolean;
}

/**
 * Decides about starts inside the transaction that would start them, after repetitions of earlier ones were sorted out:
 * a retry is never refused. Set-based, with `trx` alone. Answers every start, in order: null, or what its caller is told.
 */
export type Admission = (
  trx: Transaction<Database>,
  wanted: readonly WantedStart[],
) => Promise<readonly (TerminalError | null)[]>;

/** Reads from a draft what admission goes by. */
export function wantedStart({ input }: StartDraft): WantedStart {
  // `createTransaction` made the input; the engine hands it on as the JSON object it is.
  const { merchantId, type, network } = input as { merchantId: string; type: WantedStart['type']; network: string };
  return { merchantId, type, simulated: isSimulated(network) };
}

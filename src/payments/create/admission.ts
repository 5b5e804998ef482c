import type { Transaction } from 'kysely';
import type { TransactionType } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { StartDraft } from '../../platform/engine/index.ts';
import type { TerminalError } from '../../platform/errors.ts';
import { isSimulated } from '../../wallets/index.ts';

/** A payment about to be started. */
export interface AdmissionInput {
  readonly merchantId: string;
  readonly type: TransactionType;
  /** On the simulated network of test keys: no coins will move. */
  readonly simulated: boolean;
}

/**
 * Decides about starts inside the transaction that would start them, after idempotent retries were
 * sorted out: a retry is never rejected. Set-based, using only `trx`. Returns one result per start,
 * in order: null, or the error for its caller.
 */
export type Admission = (
  trx: Transaction<Database>,
  inputs: readonly AdmissionInput[],
) => Promise<readonly (TerminalError | null)[]>;

/** Extracts from a draft what admission needs. */
export function admissionInput({ input }: StartDraft): AdmissionInput {
  // `createTransaction` built the input; the engine passes it on as the JSON object it is.
  const { merchantId, type, network } = input as { merchantId: string; type: AdmissionInput['type']; network: string };
  return { merchantId, type, simulated: isSimulated(network) };
}

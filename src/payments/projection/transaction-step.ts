import type { TransactionContext } from '../../../machines/index.ts';
import type { Step } from '../../platform/engine/index.ts';

/** One accepted event of a transaction, as passed to its projections. */
export type TransactionStep = Step<TransactionContext>;

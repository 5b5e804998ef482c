import { setup } from 'xstate';
import type { TransactionException, TransactionStatus } from '../vocabulary/status.ts';
import type { TransactionContext, TransactionTerms } from './context.ts';
import type { TransactionEffects } from './effects.ts';
import type { TransactionEvent } from './events.ts';
import { guards } from './guards.ts';

/** Public meaning of a state. Child states inherit what they do not override. */
export interface TransactionStateMeta {
  readonly publicStatus?: TransactionStatus;
  readonly exception?: TransactionException;
  /** Every state but the final ones has it, or inherits it. */
  readonly waitsFor?: 'the customer' | 'confirmations' | 'late coins' | 'the merchant' | 'the end of monitoring';
}

/**
 * Types, guards and effects of the transaction chart. Effects have empty bodies on purpose:
 * `transition()` returns them as `{type, params}` and the engine runs them after the commit.
 */
export const transactionEffects = setup({
  types: {} as {
    context: TransactionContext;
    events: TransactionEvent;
    input: TransactionTerms;
    meta: TransactionStateMeta;
  },
  actions: {
    startTimer: (_, _params: TransactionEffects['startTimer']) => {},
    startHeightTimer: (_, _params: TransactionEffects['startHeightTimer']) => {},
    cancelTimer: (_, _params: TransactionEffects['cancelTimer']) => {},
    watchAddress: (_, _params: TransactionEffects['watchAddress']) => {},
    stopWatching: (_, _params: TransactionEffects['stopWatching']) => {},
    verifyOutputs: (_, _params: TransactionEffects['verifyOutputs']) => {},
    notifyMerchant: (_, _params: TransactionEffects['notifyMerchant']) => {},
    alertOperator: (_, _params: TransactionEffects['alertOperator']) => {},
  },
  guards,
});

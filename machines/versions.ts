import type { AnyStateMachine } from 'xstate';
import { deliveryMachine } from './delivery/machine.ts';
import { scheduleMachine } from './schedule/machine.ts';
import { transactionMachine } from './transaction/machine.ts';

/**
 * All kept versions of each chart, oldest first; new actors run the last one of their id. An old
 * version lives in its own folder (`transaction/v1/`) until no actor runs it; see
 * src/platform/engine/DESIGN.md.
 */
export const CHART_VERSIONS: readonly AnyStateMachine[] = [transactionMachine, deliveryMachine, scheduleMachine];

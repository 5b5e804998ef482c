import type { AnyStateMachine } from 'xstate';
import { deliveryMachine } from './delivery/machine.ts';
import { scheduleMachine } from './schedule/machine.ts';
import { transactionMachine } from './transaction/machine.ts';

/**
 * Every chart in every version that is kept, oldest first: of one id, the last is the one that new actors run. An old version
 * lies in a folder of its own (`transaction/v1/`) and stays until no actor runs it; src/engine/DESIGN.md has the rules.
 */
export const CHART_VERSIONS: readonly AnyStateMachine[] = [transactionMachine, deliveryMachine, scheduleMachine];

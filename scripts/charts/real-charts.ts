import type { AnyStateMachine } from 'xstate';
import { deliveryMachine, scheduleMachine, transactionMachine } from '../../machines/index.ts';
import type { FoldableChart } from '../../src/http/console/contract/charts.ts';
import { defineKind, describeChart } from '../../src/platform/engine/index.ts';

/** The service's charts as the console receives them. Pictures do not depend on their effects. */
export const REAL_CHARTS: readonly FoldableChart[] = [
  describe(transactionMachine),
  describe(deliveryMachine),
  describe(scheduleMachine),
];

function describe(machine: AnyStateMachine): FoldableChart {
  return describeChart(defineKind<Record<never, never>>()({ machine, effects: {} }));
}

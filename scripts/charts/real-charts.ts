import type { AnyStateMachine } from 'xstate';
import { deliveryMachine, scheduleMachine, transactionMachine } from '../../machines/index.ts';
import type { ChartInfo } from '../../src/http/console/contract/charts.ts';
import { defineKind, describeChart } from '../../src/platform/engine/index.ts';

/** The service's charts as the console receives them. Pictures do not depend on their effects. */
export const REAL_CHARTS: readonly ChartInfo[] = [
  describe(transactionMachine),
  describe(deliveryMachine),
  describe(scheduleMachine),
];

function describe(machine: AnyStateMachine): ChartInfo {
  return describeChart(defineKind<Record<never, never>>()({ machine, effects: {} }));
}

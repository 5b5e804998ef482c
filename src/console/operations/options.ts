import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Operator } from '../../operations/index.ts';
import type { ChartInfo, ChartLayout } from '../contract/charts.ts';
import type { Operations } from './port.ts';

/** The dependencies of the operator routes. */
export interface OperationsOptions {
  readonly operations: Operations;
  /** Hooks for reading, and for changes. */
  readonly guard: { readonly read: onRequestAsyncHookHandler; readonly write: onRequestAsyncHookHandler };
  /**
   * Whether the user of a live stream still has the session and role they had when it was opened.
   */
  readonly isStillIn: (request: FastifyRequest) => Promise<boolean>;
  /** The operator who sent a request that passed `guard.write`. */
  readonly operatorOf: (request: FastifyRequest) => Operator;
  readonly layoutOf: (chart: ChartInfo) => Promise<ChartLayout>;
}

import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Operator } from '../../operations/index.ts';
import type { ChartInfo, ChartLayout } from '../contract/charts.ts';
import type { Operations } from './port.ts';

/** What the operator's routes are given. */
export interface OperationsOptions {
  readonly operations: Operations;
  /** Who may look, and who may also act. */
  readonly guard: { readonly read: onRequestAsyncHookHandler; readonly write: onRequestAsyncHookHandler };
  /** Whether who is told of changes is still who they were when they began to listen. */
  readonly isStillIn: (request: FastifyRequest) => Promise<boolean>;
  /** Who sends a request that `write` has let through. */
  readonly operatorOf: (request: FastifyRequest) => Operator;
  readonly layoutOf: (chart: ChartInfo) => Promise<ChartLayout>;
}

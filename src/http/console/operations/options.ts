import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type {
  DeadLetterDeps,
  HealthDeps,
  LiveFeed,
  Operator,
  SendDeps,
  SetupGapsDeps,
} from '../../../operations/index.ts';
import type { ChartInfo, ChartLayout } from '../contract/charts.ts';

/** What the features called by the operator routes need. */
export interface OperatorDeps
  extends SendDeps,
    Pick<HealthDeps, 'rates' | 'networks'>,
    Pick<SetupGapsDeps, 'installation'> {
  readonly engine: SendDeps['engine'] & DeadLetterDeps['engine'];
  readonly bus: HealthDeps['bus'] & DeadLetterDeps['bus'];
  readonly feed: Pick<LiveFeed, 'join'>;
  readonly plansEnabled: boolean;
}

export interface OperatorOptions {
  readonly deps: OperatorDeps;
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

/** Reads the types of requests from the schemas of their routes. */
export type OperatorApp = Parameters<FastifyPluginAsyncTypebox>[0];

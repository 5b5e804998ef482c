import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type {
  DeadLetterDeps,
  HealthDeps,
  LiveFeed,
  Operator,
  SendDeps,
  SetupGapsDeps,
} from '../../../operations/index.ts';
import type { ChartLayout, FoldableChart } from '../contract/charts.ts';
import { requireReauth, requireRole, signedInOf } from '../session/guard.ts';

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
  readonly layoutOf: (chart: FoldableChart) => Promise<ChartLayout>;
}

/**
 * Hooks of the operator routes: observers may read, operators may also change data. What can decide
 * payments of any merchant needs a recently entered password.
 */
export const guard = {
  read: requireRole('operator', 'observer'),
  write: requireRole('operator'),
  decide: requireReauth('operator'),
} as const;

/** The operator who sent a request that passed `guard.write`. */
export function operatorOf(request: FastifyRequest): Operator {
  return { userId: signedInOf(request).userId };
}

/** Reads the types of requests from the schemas of their routes. */
export type OperatorApp = Parameters<FastifyPluginAsyncTypebox>[0];

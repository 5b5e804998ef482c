import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { DeadLetterDeps, HealthDeps, LiveFeed, SendDeps, SetupGapsDeps } from '../../../operations/index.ts';
import type { ChartLayout, FoldableChart } from '../contract/charts.ts';

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

/** Reads the types of requests from the schemas of their routes. */
export type OperatorApp = Parameters<FastifyPluginAsyncTypebox>[0];

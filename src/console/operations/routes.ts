import type { FastifyPluginAsync } from 'fastify';
import { TerminalError } from '../../errors.ts';
import { listCharts, listSetupGaps, readActorConcerns, readHealth, readPopulation } from '../../operations/index.ts';
import type { ChartDetail, ChartInfo } from '../contract/charts.ts';
import type { SystemHealth } from '../contract/operations.ts';
import { liveRoute } from '../live/index.ts';
import { foldedChart } from '../text-measurement/index.ts';
import { actionRoutes } from './action-routes.ts';
import { actorRoutes } from './actor-routes.ts';
import { deadLetterRoutes } from './dead-letter-routes.ts';
import { mailRoutes } from './mail-routes.ts';
import { merchantRoutes } from './merchant-routes.ts';
import type { OperatorOptions } from './options.ts';
import { tierRoutes } from './plan-routes.ts';
import { answerOperationProblems } from './problems.ts';
import { type Query, readText, requireKnown, requireText } from './read-query.ts';
import { runRoutes } from './run-routes.ts';

/**
 * Bodies contain a few short texts; a journal file, which is read but not stored, has a separate
 * limit.
 */
const MAX_BODY_BYTES = 16 * 1_024;

/**
 * The operator console API, to be registered under `/console/api` in a guarded scope. Observers may
 * read, operators may also make changes. Responses are `{data}`; lists include the cursor of the
 * next page.
 */
export const operationRoutes: FastifyPluginAsync<OperatorOptions> = async (app, options) => {
  const { deps, guard, layoutOf, isStillIn } = options;
  answerOperationProblems(app);
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= MAX_BODY_BYTES;
  });

  app.get('/charts', { onRequest: guard.read }, async () => ({ data: listCharts(deps.kinds) }));
  app.get<{ Params: { kind: string }; Querystring: Query }>(
    '/charts/:kind/layout',
    { onRequest: guard.read },
    async ({ params, query }) => {
      requireKnown(query, ['detail']);
      const isFolded = readDetail(query) === 'states';
      const charts = listCharts(deps.kinds);
      const chart = charts.find(({ kind }) => kind === params.kind);
      if (chart === undefined) throw unknownKind(charts);
      return { data: await layoutOf(isFolded ? foldedChart(chart) : chart) };
    },
  );
  app.get<{ Querystring: Query }>('/population', { onRequest: guard.read }, async ({ query }) => {
    requireKnown(query, ['kind']);
    return { data: await readPopulation(deps, requireText(query, 'kind')) };
  });
  app.get('/health', { onRequest: guard.read }, async () => {
    const [health, concerns, missing] = await Promise.all([
      readHealth(deps),
      readActorConcerns(deps),
      listSetupGaps(deps),
    ]);
    return { data: { ...health, concerns, missing } satisfies SystemHealth };
  });
  actorRoutes(app, options);
  deadLetterRoutes(app, options);
  mailRoutes(app, options);
  runRoutes(app, options);
  merchantRoutes(app, options);
  tierRoutes(app, options);
  actionRoutes(app, options);
  liveRoute(app, {
    follow: (_request, listener, since) => deps.feed.join(listener, since),
    onRequest: guard.read,
    isStillIn,
  });
};

// Helpers

function readDetail(query: Query): ChartDetail {
  const detail = readText(query, 'detail') ?? 'events';
  if (detail === 'states' || detail === 'events') return detail;
  throw new TerminalError('INVALID_REQUEST', 'detail must be states or events', { field: 'detail' });
}

function unknownKind(charts: readonly ChartInfo[]): TerminalError {
  const kinds = charts.map(({ kind }) => kind).join(', ');
  return new TerminalError('NOT_FOUND', `There is no chart of this name; there are ${kinds}`, { field: 'kind' });
}

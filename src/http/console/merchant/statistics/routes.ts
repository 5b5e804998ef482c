import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { getStats } from '../../../../payments/index.ts';
import type { MerchantDeps } from '../deps.ts';
import { memberOf } from '../member.ts';
import { StatisticsQuery } from './schemas.ts';

/**
 * The statistics of GET /v1/stats by currency, without payments whose coins are gone and the plan's
 * usage.
 */
export const statisticsRoutes: FastifyPluginAsyncTypebox<Pick<MerchantDeps, 'db'>> = async (app, { db }) => {
  app.get('/statistics', { schema: { querystring: StatisticsQuery } }, async (request) => {
    const { mode, ...range } = request.query;
    const { merchantId } = memberOf(request);
    return { data: await getStats(db, { merchantId, mode }, range) };
  });
};

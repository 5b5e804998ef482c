import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { getStats } from '../../../../payments/index.ts';
import type { MerchantDeps } from '../deps.ts';
import { memberOf } from '../member.ts';
import type { ReadSlots } from '../read-slots.ts';
import { StatisticsQuery } from './schemas.ts';

type StatisticsDeps = Pick<MerchantDeps, 'db'> & { readonly slots: ReadSlots };

/**
 * The statistics of GET /v1/stats by currency, without payments whose coins are gone and the plan's
 * usage.
 */
export const statisticsRoutes: FastifyPluginAsyncTypebox<StatisticsDeps> = async (app, { db, slots }) => {
  app.get('/statistics', { schema: { querystring: StatisticsQuery } }, async (request) => {
    const { mode, ...range } = request.query;
    const { merchantId } = memberOf(request);
    return { data: await slots.read(merchantId, () => getStats(db, { merchantId, mode }, range)) };
  });
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { createCustomerLinks, listPeriods, type PeriodDeps, type Tokens } from '../../../recurring/index.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { failures } from '../../schemas/error.ts';
import { requireScheduleId, ScheduleParams, SchedulePeriodListEnvelope } from '../../schemas/recurring.ts';
import { ListPeriodsQuery } from '../../schemas/recurring-requests.ts';
import { ref } from '../../schemas/ref.ts';
import { DEFAULT_PAGE_SIZE } from '../../schemas/transaction-list.ts';

export interface PeriodListDeps extends Pick<PeriodDeps, 'db'> {
  readonly publicUrl: string;
  /** Signs the links of the periods. */
  readonly tokens: Tokens;
}

export const listPeriodsRoute: FastifyPluginAsyncTypebox<PeriodListDeps> = async (app, deps) => {
  const showing = { db: deps.db, links: createCustomerLinks(deps) };
  app.get(
    '/recurring/:schedule_id/periods',
    {
      schema: {
        operationId: 'listSchedulePeriods',
        summary: 'List the periods of a recurring payment request',
        description: 'Every period that was requested or skipped so far, newest first, with the payments made for it.',
        tags: ['Recurring'],
        params: ScheduleParams,
        querystring: ListPeriodsQuery,
        response: { 200: ref(SchedulePeriodListEnvelope), ...failures('SCHEDULE_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const scheduleId = requireScheduleId(request.params);
      const { limit = DEFAULT_PAGE_SIZE, offset = 0 } = request.query;
      const { periods, pagination } = await listPeriods(showing, callerOf(request), scheduleId, { limit, offset });
      const shown = periods.map((period) => ({
        ...period,
        attempts: [...period.attempts],
        excess_transaction_ids: [...period.excess_transaction_ids],
      }));
      return reply.send({ success: true, data: { periods: shown, pagination } });
    },
  );
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../plugins/authenticate.ts';
import type { Recurring } from '../../ports.ts';
import { failures } from '../../schemas/error.ts';
import { requireScheduleId, ScheduleParams, SchedulePeriodListEnvelope } from '../../schemas/recurring.ts';
import { ListPeriodsQuery } from '../../schemas/recurring-requests.ts';
import { ref } from '../../schemas/ref.ts';
import { DEFAULT_PAGE_SIZE } from '../../schemas/transaction-list.ts';

export const listPeriodsRoute: FastifyPluginAsyncTypebox<{ recurring: Pick<Recurring, 'periods'> }> = async (
  app,
  { recurring },
) => {
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
      const { periods, pagination } = await recurring.periods(callerOf(request), scheduleId, { limit, offset });
      const shown = periods.map((period) => ({
        ...period,
        attempts: [...period.attempts],
        excess_transaction_ids: [...period.excess_transaction_ids],
      }));
      return reply.send({ success: true, data: { periods: shown, pagination } });
    },
  );
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listSchedules, type PeriodDeps } from '../../../recurring/index.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { failures } from '../../schemas/error.ts';
import { ScheduleListEnvelope } from '../../schemas/recurring.ts';
import { ListSchedulesQuery } from '../../schemas/recurring-requests.ts';
import { ref } from '../../schemas/ref.ts';
import { DEFAULT_PAGE_SIZE } from '../../schemas/transaction-list.ts';

export const listSchedulesRoute: FastifyPluginAsyncTypebox<Pick<PeriodDeps, 'db'>> = async (app, deps) => {
  app.get(
    '/recurring/list',
    {
      schema: {
        operationId: 'listSchedules',
        summary: 'List recurring payment requests',
        description: 'Those of the mode of your key, live or test, newest first.',
        tags: ['Recurring'],
        querystring: ListSchedulesQuery,
        response: { 200: ref(ScheduleListEnvelope), ...failures() },
      },
    },
    async (request, reply) => {
      const { limit = DEFAULT_PAGE_SIZE, offset = 0, status = null, reference = null } = request.query;
      const { schedules, pagination } = await listSchedules(deps, callerOf(request), {
        limit,
        offset,
        status,
        reference,
      });
      return reply.send({ success: true, data: { schedules: [...schedules], pagination } });
    },
  );
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { getSchedule, type PeriodDeps } from '../../../recurring/index.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { failures } from '../../schemas/error.ts';
import { requireScheduleId, ScheduleEnvelope, ScheduleParams } from '../../schemas/recurring.ts';
import { ref } from '../../schemas/ref.ts';

export const getScheduleRoute: FastifyPluginAsyncTypebox<Pick<PeriodDeps, 'db'>> = async (app, deps) => {
  app.get(
    '/recurring/:schedule_id',
    {
      schema: {
        operationId: 'getSchedule',
        summary: 'Get a recurring payment request',
        description: 'One of yours, as it is now.',
        tags: ['Recurring'],
        params: ScheduleParams,
        response: { 200: ref(ScheduleEnvelope), ...failures('SCHEDULE_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const schedule = await getSchedule(deps, callerOf(request), requireScheduleId(request.params));
      return reply.send({ success: true, data: schedule });
    },
  );
};

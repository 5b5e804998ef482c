import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../plugins/authenticate.ts';
import type { Recurring } from '../../ports.ts';
import { failures } from '../../schemas/error.ts';
import { requireScheduleId, ScheduleEnvelope, ScheduleParams } from '../../schemas/recurring.ts';
import { ref } from '../../schemas/ref.ts';

export const getScheduleRoute: FastifyPluginAsyncTypebox<{ recurring: Pick<Recurring, 'get'> }> = async (
  app,
  { recurring },
) => {
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
      const schedule = await recurring.get(callerOf(request), requireScheduleId(request.params));
      return reply.send({ success: true, data: schedule });
    },
  );
};

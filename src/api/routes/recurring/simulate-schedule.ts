import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { TerminalError } from '../../../errors.ts';
import { type ScheduleSimulation, type SimulateScheduleDeps, simulateSchedule } from '../../../recurring/index.ts';
import { momentOf } from '../../moments.ts';
import { callerOf, requireTestKey } from '../../plugins/authenticate.ts';
import { failures } from '../../schemas/error.ts';
import { requireScheduleId, ScheduleEnvelope, ScheduleParams } from '../../schemas/recurring.ts';
import { SimulateScheduleBody } from '../../schemas/recurring-requests.ts';
import { ref } from '../../schemas/ref.ts';

export const simulateScheduleRoute: FastifyPluginAsyncTypebox<SimulateScheduleDeps> = async (app, deps) => {
  app.post(
    '/recurring/:schedule_id/simulate',
    {
      onRequest: requireTestKey,
      schema: {
        operationId: 'simulateSchedule',
        summary: 'Simulate time or the customer (test keys only)',
        description:
          'Moves the clock of one recurring payment request, or does what its customer would, and answers with it as it is then. Exactly one field at a time. Webhooks are sent as always; mails go only to addresses of your own logins.',
        tags: ['Recurring'],
        params: ScheduleParams,
        body: SimulateScheduleBody,
        response: { 200: ref(ScheduleEnvelope), ...failures('SCHEDULE_NOT_FOUND', 'INVALID_STATE') },
      },
    },
    async (request, reply) => {
      const scheduleId = requireScheduleId(request.params);
      const schedule = await simulateSchedule(deps, callerOf(request), scheduleId, toSimulation(request.body));
      return reply.send({ success: true, data: schedule });
    },
  );
};

// Helpers

const FIELDS = ['advance_to', 'confirm', 'bounce', 'stop'] as const;

function toSimulation(body: Static<typeof SimulateScheduleBody>): ScheduleSimulation {
  const [action, another] = FIELDS.filter((name) => body[name] !== undefined);
  if (action === undefined) {
    throw new TerminalError('INVALID_REQUEST', `One of ${FIELDS.join(', ')} is required`);
  }
  if (another !== undefined) {
    throw new TerminalError('INVALID_REQUEST', `${another} cannot come with ${action}: send one at a time`, {
      field: another,
    });
  }
  if (action !== 'advance_to') return { action };
  return { action, to: new Date(momentOf(body.advance_to ?? '', 'advance_to')).toISOString() };
}

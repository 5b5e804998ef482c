import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { TerminalError } from '../../../platform/errors.ts';
import {
  type DecideDeps,
  decideSchedule,
  readScheduleId,
  SCHEDULE_DECISIONS,
  type ScheduleDecision,
  type SimulateScheduleDeps,
  simulateSchedule,
} from '../../../recurring/index.ts';
import { callerOf, requireTestKey } from '../plugins/require-secret-key.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/primitives.ts';
import { ScheduleEnvelope, ScheduleParams } from '../schemas/recurring.ts';
import { SimulateScheduleBody } from '../schemas/simulate.ts';
import { clockMoveOf } from '../timestamps.ts';
import { scheduleToJson } from './recurring-json.ts';

/** Actions on an existing recurring payment request, and its simulation in test mode. */
export const recurringActionRoutes: FastifyPluginAsyncTypebox<DecideDeps & SimulateScheduleDeps> = async (
  app,
  deps,
) => {
  for (const decision of SCHEDULE_DECISIONS) {
    const { operationId, summary, description, isEmailed = false } = ROUTES[decision];
    app.post(
      `/recurring/:schedule_id/${decision}`,
      {
        schema: {
          operationId,
          summary,
          description,
          tags: ['Recurring'],
          params: ScheduleParams,
          response: {
            200: ref(ScheduleEnvelope),
            ...failures(
              'SCHEDULE_NOT_FOUND',
              'INVALID_STATE',
              ...(isEmailed ? (['RECIPIENT_LIMIT_REACHED'] as const) : []),
            ),
          },
        },
      },
      async (request, reply) => {
        rejectContent(request.body);
        const schedule = await decideSchedule(
          deps,
          callerOf(request),
          readScheduleId(request.params.schedule_id),
          decision,
        );
        return reply.send({ success: true, data: scheduleToJson(schedule) });
      },
    );
  }

  app.post(
    '/recurring/:schedule_id/simulate',
    {
      onRequest: requireTestKey,
      schema: {
        operationId: 'simulateSchedule',
        summary: 'Simulate time or the customer (test keys only)',
        description:
          'Moves the clock of a recurring payment request or acts as its customer, and returns its new state. Webhooks are sent as usual; emails are sent only to your own logins.',
        tags: ['Recurring'],
        params: ScheduleParams,
        body: SimulateScheduleBody,
        response: { 200: ref(ScheduleEnvelope), ...failures('SCHEDULE_NOT_FOUND', 'INVALID_STATE') },
      },
    },
    async (request, reply) => {
      const scheduleId = readScheduleId(request.params.schedule_id);
      const { action } = request.body;
      const simulation = { action, ...clockMoveOf(request.body) };
      const schedule = await simulateSchedule(deps, callerOf(request), scheduleId, simulation);
      return reply.send({ success: true, data: scheduleToJson(schedule) });
    },
  );
};

// Helpers

interface DecisionRoute {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** It sends an email, and emails per address are limited. */
  readonly isEmailed?: true;
}

const ROUTES: { readonly [D in ScheduleDecision]: DecisionRoute } = {
  pause: {
    operationId: 'pauseSchedule',
    summary: 'Pause a recurring payment request',
    description:
      'No payment is requested until you resume it. Requested payments can still be paid. 409 unless it is active.',
  },
  resume: {
    operationId: 'resumeSchedule',
    summary: 'Resume a recurring payment request',
    description:
      'Payments are requested again from the next due date. Periods that became due meanwhile are skipped, never billed in bulk. 409 unless it is paused.',
  },
  cancel: {
    operationId: 'cancelSchedule',
    summary: 'Cancel a recurring payment request',
    description: 'Ends it permanently. Sends no webhook, because you did it yourself. 409 if it has already ended.',
  },
  'resend-confirmation': {
    operationId: 'resendScheduleConfirmation',
    summary: 'Resend the confirmation email',
    description:
      'Does not extend the time to confirm. 409 unless it is pending_confirmation, or if the email was sent as often as allowed.',
    isEmailed: true,
  },
};

/**
 * For requests without a body: absent and `{}` are equivalent. Throws
 * `INVALID_REQUEST`, naming the first field.
 */
function rejectContent(body: unknown): void {
  if (body === undefined) return;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new TerminalError('INVALID_REQUEST', 'The body must be absent, or an empty JSON object.');
  }
  const [field] = Object.keys(body);
  if (field === undefined) return;
  const named = field.slice(0, MAX_FIELD_CHARACTERS).replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd');
  throw new TerminalError('INVALID_REQUEST', `${named} is not a field of this request`, { field: named });
}

/** Names come from the client. */
const MAX_FIELD_CHARACTERS = 100;

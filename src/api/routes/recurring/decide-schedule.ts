import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  type DecideDeps,
  decideSchedule,
  SCHEDULE_DECISIONS,
  type ScheduleDecision,
} from '../../../recurring/index.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { failures } from '../../schemas/error.ts';
import { requireScheduleId, ScheduleEnvelope, ScheduleParams } from '../../schemas/recurring.ts';
import { ref } from '../../schemas/ref.ts';
import { refuseContent } from './no-content.ts';

/** One route per merchant decision on a recurring payment request. None takes a body. */
export const decideScheduleRoutes: FastifyPluginAsyncTypebox<DecideDeps> = async (app, deps) => {
  for (const decision of SCHEDULE_DECISIONS) {
    const { operationId, summary, description, isMailed = false } = ROUTES[decision];
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
              ...(isMailed ? (['RECIPIENT_LIMIT_REACHED'] as const) : []),
            ),
          },
        },
      },
      async (request, reply) => {
        refuseContent(request.body);
        const schedule = await decideSchedule(deps, callerOf(request), requireScheduleId(request.params), decision);
        return reply.send({ success: true, data: schedule });
      },
    );
  }
};

// Helpers

interface DecisionRoute {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** It sends a mail, and mails per address are limited. */
  readonly isMailed?: true;
}

const ROUTES: { readonly [D in ScheduleDecision]: DecisionRoute } = {
  pause: {
    operationId: 'pauseSchedule',
    summary: 'Pause a recurring payment request',
    description:
      'No payment is requested until you resume it. What was requested already can still be paid. 409 unless it is active.',
  },
  resume: {
    operationId: 'resumeSchedule',
    summary: 'Resume a recurring payment request',
    description:
      'Payments are requested again from the next due date on. What came due meanwhile is skipped, never billed in bulk. 409 unless it is paused.',
  },
  cancel: {
    operationId: 'cancelSchedule',
    summary: 'Cancel a recurring payment request',
    description: 'Ends it for good. It sends no webhook, because you did it yourself. 409 when it has ended already.',
  },
  'resend-confirmation': {
    operationId: 'resendScheduleConfirmation',
    summary: 'Ask a customer once more to confirm',
    description:
      'Sends the confirmation mail again. When the request ends without it stays as it is. 409 unless it is pending_confirmation, and when it was sent as often as it may be.',
    isMailed: true,
  },
};

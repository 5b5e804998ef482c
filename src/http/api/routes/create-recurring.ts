import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { TerminalError } from '../../../platform/errors.ts';
import { type CreateScheduleDeps, createSchedule, type ScheduleRequest } from '../../../recurring/index.ts';
import { checkMetadata } from '../metadata.ts';
import { callerOf } from '../plugins/require-secret-key.ts';
import { DEFAULT_CURRENCY } from '../schemas/create-transaction.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/primitives.ts';
import { ScheduleEnvelope } from '../schemas/recurring.ts';
import { CreateScheduleBody, CreateScheduleHeaders } from '../schemas/recurring-requests.ts';
import { timestampOf } from '../timestamps.ts';
import { scheduleToJson } from './recurring-json.ts';

export const createRecurringRoute: FastifyPluginAsyncTypebox<CreateScheduleDeps> = async (app, deps) => {
  app.post(
    '/recurring/create',
    {
      schema: {
        operationId: 'createSchedule',
        summary: 'Create a recurring payment request',
        description:
          'Emails the customer a request to confirm the recurring payment. Nothing is requested before the customer confirms; without confirmation the request ends after 7 days. Unknown fields are rejected.',
        tags: ['Recurring'],
        headers: CreateScheduleHeaders,
        body: CreateScheduleBody,
        response: {
          201: ref(ScheduleEnvelope, {
            description:
              'The new recurring payment request, or the original one if the idempotency key was used before.',
            headers: {
              'X-Idempotency-Replayed': {
                type: 'string',
                enum: ['true'],
                description: 'Present if the idempotency key was used before and nothing was created.',
              },
            },
          }),
          ...failures(
            'INVALID_CRYPTO',
            'INVALID_AMOUNT',
            'AMOUNT_TOO_LOW',
            'INVALID_CURRENCY',
            'INVALID_METADATA',
            'WALLET_NOT_CONFIGURED',
            'NO_ACTIVE_PLAN',
            'MERCHANT_NOT_APPROVED',
            'IDEMPOTENCY_CONFLICT',
            'RECIPIENT_LIMIT_REACHED',
            'RATE_FETCH_FAILED',
          ),
        },
      },
    },
    async (request, reply) => {
      const key = request.headers['x-idempotency-key'];
      const input = toScheduleRequest(request.body);
      const { schedule, replayed } = await createSchedule(
        deps,
        callerOf(request),
        input,
        typeof key === 'string' ? key : null,
      ).catch(nameField);
      if (replayed) void reply.header('X-Idempotency-Replayed', 'true');
      return reply.code(201).send({ success: true, data: scheduleToJson(schedule) });
    },
  );
};

// Helpers

function toScheduleRequest(body: Static<typeof CreateScheduleBody>): ScheduleRequest {
  const { amount, interval, description, crypto = null, metadata = null, start_at: startAt = null } = body;
  return {
    reference: body.reference ?? null,
    customerEmail: requireMailbox(body.customer_email),
    amount,
    currencyFiat: body.currency_fiat ?? DEFAULT_CURRENCY,
    interval,
    description,
    crypto,
    startAt: startAt === null ? null : timestampOf(startAt, 'start_at'),
    maxPeriods: body.max_periods ?? null,
    metadata: metadata === null ? null : checkMetadata(metadata),
    successUrl: body.success_url ?? null,
  };
}

/** Rethrows an error; one about the start names the field of the body. */
function nameField(error: unknown): never {
  if (!(error instanceof TerminalError) || error.field !== 'startAt') throw error;
  const { code, message } = error;
  throw new TerminalError(code, message.replace('startAt', 'start_at'), { field: 'start_at', cause: error });
}

/** RFC 5321, 4.5.3.1.1. */
const MAX_LOCAL_CHARACTERS = 64;

/**
 * Returns the address, which already has a valid form. Throws `INVALID_REQUEST` when the part
 * before the @ is longer than mail servers accept.
 */
function requireMailbox(address: string): string {
  if (address.lastIndexOf('@') <= MAX_LOCAL_CHARACTERS) return address;
  throw new TerminalError(
    'INVALID_REQUEST',
    `customer_email may have at most ${MAX_LOCAL_CHARACTERS} characters before the @`,
    { field: 'customer_email' },
  );
}

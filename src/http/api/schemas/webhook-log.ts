import { type Static, Type } from 'typebox';
import { TerminalError } from '../../../platform/errors.ts';
import { isId } from '../../../platform/ids.ts';
import {
  DELIVERY_STATES,
  MAX_REPLAY_DAYS,
  MAX_SHOWN_ATTEMPTS,
  REDELIVERY_OUTCOMES,
  REPLAY_STATES,
  WEBHOOK_EVENT_TYPES,
} from '../../../webhooks/index.ts';
import { ERROR_CODES } from '../error-codes.ts';
import { MOMENT_PATTERN } from '../validation-problem.ts';
import { NullableText, NullableTimestamp, nullable, oneOf, ref, Timestamp } from './primitives.ts';
import { WebhookEventName } from './webhook-endpoint.ts';

const MAX_PAGE_SIZE = 100;
export const DEFAULT_DELIVERIES = 20;

const NullableStatus = (description: string) => nullable<number>('integer', { description });
const NullableMs = (description: string) => nullable<number>('integer', { description: `${description}, in ms.` });
const Headers = (description: string) =>
  nullable<Record<string, string>>('object', { description, additionalProperties: { type: 'string' } });

const DELIVERY_FIELDS = {
  delivery_id: Type.String({ description: 'Id of the delivery of this event to this endpoint.' }),
  endpoint_id: Type.String({ description: 'The endpoint.' }),
  event_id: Type.String({ description: 'The `id` in the body.' }),
  event: ref(WebhookEventName),
  is_test: Type.Boolean({ description: 'Whether this is a test delivery that was requested.' }),
  transaction_id: NullableText('The transaction of the event; null if there is none.'),
  state: oneOf(DELIVERY_STATES, {
    description:
      'sending: an attempt is in progress. waiting: the last attempt failed, the next one is scheduled. delivered: the response was 2xx. failed: all attempts failed, or it could not be sent.',
  }),
  attempt: Type.Integer({ description: 'X-Service-Attempt of the newest attempt; 0 before the first.' }),
  last_status: NullableStatus('HTTP status of the last response; null if there was none.'),
  last_failure: NullableText('Kind of the newest failure, kept after a later success; null without one.'),
  next_attempt_at: NullableTimestamp('When the next attempt is due; null unless it is waiting.'),
  created_at: Timestamp('When it was started.'),
  ended_at: NullableTimestamp('When it was delivered or failed; null until then.'),
};

export const WebhookDelivery = Type.Object(DELIVERY_FIELDS, {
  $id: 'WebhookDelivery',
  description: 'The delivery of an event to one of your endpoints.',
});

export const WebhookDeliveryListEnvelope = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Object({
      deliveries: Type.Array(ref(WebhookDelivery)),
      has_more: Type.Boolean({
        description: 'Whether there are older ones: request them with `before` set to the last delivery_id.',
      }),
    }),
  },
  { $id: 'WebhookDeliveryListEnvelope', description: 'A page of deliveries, newest first.' },
);

export const WebhookAttempt = Type.Object(
  {
    attempt: Type.Integer({ description: 'Its X-Service-Attempt.' }),
    started_at: Timestamp('When it was made.'),
    duration_ms: Type.Integer({ description: 'How long it took, from the DNS query to the end of the response.' }),
    status: NullableStatus('HTTP status of the response; null if there was none.'),
    failure: NullableText(
      'Why it failed: status, redirect, timeout, connection, tls, dns, blocked, secret_unreadable, endpoint_gone. null: accepted.',
    ),
    failure_detail: NullableText('Details of the failure.'),
    is_probe: Type.Boolean({ description: 'Sent ahead of schedule, to test whether the endpoint works again.' }),
    request_headers: Headers('As sent, without secrets; null if not stored.'),
    response_headers: Headers('As received; null if there was no response or it was not stored.'),
    response_body: NullableText('The first part of the response, as text.'),
    is_response_cut: Type.Boolean({ description: 'Whether only a part of the response is stored.' }),
    peer_address: NullableText('The IP address of the connection.'),
    timing: Type.Object(
      {
        dns_ms: NullableMs('DNS lookup'),
        connect_ms: NullableMs('Connecting'),
        tls_ms: NullableMs('TLS handshake'),
        first_byte_ms: NullableMs('Waiting for the first byte of the response'),
      },
      { description: 'Parts of the duration; null for those that did not occur.' },
    ),
  },
  { $id: 'WebhookAttempt', description: 'One attempt, with request and response.' },
);

export const WebhookDeliveryDetails = Type.Object(
  {
    ...DELIVERY_FIELDS,
    body: Type.String({ description: 'The body of every attempt, byte for byte.' }),
    attempts: Type.Array(ref(WebhookAttempt), {
      description: `The newest ${MAX_SHOWN_ATTEMPTS}, oldest first. Attempts of earlier deliveries of the event are listed there.`,
    }),
  },
  { $id: 'WebhookDeliveryDetails', description: 'A delivery with its requests and responses.' },
);

export const WebhookDeliveryEnvelope = Type.Object(
  { success: Type.Literal(true), data: ref(WebhookDeliveryDetails) },
  { $id: 'WebhookDeliveryEnvelope', description: 'The delivery.' },
);

export const WebhookRedeliveryEnvelope = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Object({
      outcome: oneOf(REDELIVERY_OUTCOMES, {
        description:
          'started: a new delivery of the event was started. requested: it was waiting, and its next attempt is made now. under_way: an attempt was already in progress, so nothing was changed.',
      }),
      delivery_id: Type.String({ description: 'The delivery that is sent: a new one if the requested one had ended.' }),
    }),
  },
  { $id: 'WebhookRedeliveryEnvelope', description: 'Result of the redelivery.' },
);

export const WebhookReplay = Type.Object(
  {
    replay_id: Type.String({ description: 'The replay.' }),
    endpoint_id: Type.String({ description: 'The endpoint.' }),
    since: Timestamp('Start of the range of events.'),
    until: Timestamp('End of the range of events; the time of the request unless you set an earlier one.'),
    only_failed: Type.Boolean({ description: 'Whether events that were never tried are skipped.' }),
    state: oneOf(REPLAY_STATES, {
      description:
        'running: events are being checked, oldest first. done: all events were checked; started deliveries continue. cancelled: by you, or because the endpoint was disabled or deleted.',
    }),
    events_seen: Type.Integer({ description: 'Number of events examined.' }),
    events_sent: Type.Integer({ description: 'Number of these for which a delivery was started.' }),
    created_at: Timestamp('When it was requested.'),
    ended_at: NullableTimestamp('When it ended; null until then.'),
  },
  { $id: 'WebhookReplay', description: 'The redelivery of everything that an endpoint has not accepted since a time.' },
);

export const WebhookReplayEnvelope = Type.Object(
  { success: Type.Literal(true), data: ref(WebhookReplay) },
  { $id: 'WebhookReplayEnvelope', description: 'Status of the replay.' },
);

export const ReplayBody = Type.Object(
  {
    since: Type.String({
      pattern: MOMENT_PATTERN,
      description: `Start of the range: a time in the last ${MAX_REPLAY_DAYS} days.`,
    }),
    until: Type.Optional(Type.String({ pattern: MOMENT_PATTERN, description: 'End of the range. Default: now.' })),
    only_failed: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Only events that were tried and failed, not those that occurred while the endpoint was disabled.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ListDeliveriesQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_DELIVERIES, description: 'Page size.' }),
    ),
    before: Type.Optional(
      Type.String({
        description: 'Only deliveries older than this delivery_id. For the next page, use the last one of a page.',
      }),
    ),
    state: Type.Optional(oneOf(DELIVERY_STATES, { description: 'Only deliveries in this state.' })),
    event: Type.Optional(oneOf(WEBHOOK_EVENT_TYPES, { description: 'Only events of this type.' })),
    transaction_id: Type.Optional(Type.String({ description: 'Only events of this transaction.' })),
    since: Type.Optional(
      Type.String({ pattern: MOMENT_PATTERN, description: 'Only deliveries started at or after this time.' }),
    ),
    until: Type.Optional(
      Type.String({ pattern: MOMENT_PATTERN, description: 'Only deliveries started before this time.' }),
    ),
  },
  { additionalProperties: false },
);

export const WebhookDeliveryParams = Type.Object({
  delivery_id: Type.String({ description: 'The id from the list of deliveries.' }),
});

export const WebhookReplayParams = Type.Object({
  replay_id: Type.String({ description: 'The id returned when it was requested.' }),
});

/** The ids in the path. A malformed id is reported as not found, without a query. */
export function requireDeliveryId({ delivery_id: id }: Static<typeof WebhookDeliveryParams>): string {
  if (isId('dlv', id)) return id;
  throw new TerminalError('WEBHOOK_DELIVERY_NOT_FOUND', ERROR_CODES.WEBHOOK_DELIVERY_NOT_FOUND.message);
}

export function requireReplayId({ replay_id: id }: Static<typeof WebhookReplayParams>): string {
  if (isId('rpl', id)) return id;
  throw new TerminalError('WEBHOOK_REPLAY_NOT_FOUND', ERROR_CODES.WEBHOOK_REPLAY_NOT_FOUND.message);
}

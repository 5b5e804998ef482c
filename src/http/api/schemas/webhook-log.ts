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
import { NullableText, NullableTimestamp, Timestamp } from './primitives.ts';
import { nullable, oneOf, ref } from './ref.ts';
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
  transaction_id: NullableText('The transaction it is about; null when it is about none.'),
  state: oneOf(DELIVERY_STATES, {
    description:
      'sending: an attempt is in progress. waiting: the last one failed, the next one has its time. delivered: it was answered with 2xx. failed: it was given up.',
  }),
  attempt: Type.Integer({ description: 'X-Service-Attempt of the newest attempt; 0 when there was none.' }),
  last_status: NullableStatus('HTTP status that the last attempt was answered with; null when it got no response.'),
  last_failure: NullableText('Kind of the newest failure, which a later success leaves; null without one.'),
  next_attempt_at: NullableTimestamp('When it is tried next; null unless it waits.'),
  created_at: Timestamp('When it was started.'),
  ended_at: NullableTimestamp('When it was delivered or given up; null before.'),
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
      has_more: Type.Boolean({ description: 'Older ones follow: ask with `before` set to the last delivery_id.' }),
    }),
  },
  { $id: 'WebhookDeliveryListEnvelope', description: 'A page of deliveries, newest first.' },
);

export const WebhookAttempt = Type.Object(
  {
    attempt: Type.Integer({ description: 'Its X-Service-Attempt.' }),
    started_at: Timestamp('When it was made.'),
    duration_ms: Type.Integer({ description: 'How long it took, from the DNS query to the end of the response.' }),
    status: NullableStatus('HTTP status of the response; null when there was none.'),
    failure: NullableText(
      'Why it failed: status, redirect, timeout, connection, tls, dns, blocked, secret_unreadable, endpoint_gone. null: accepted.',
    ),
    failure_detail: NullableText('The same in words.'),
    is_probe: Type.Boolean({ description: 'Sent ahead of schedule, to test whether the endpoint works again.' }),
    request_headers: Headers('As sent, without what must stay secret; null when it was not kept.'),
    response_headers: Headers('As answered; null when there was no response, or it was not kept.'),
    response_body: NullableText('The first part of the response, as text.'),
    is_response_cut: Type.Boolean({ description: 'Whether the response was longer than what is stored.' }),
    peer_address: NullableText('The IP address that was connected to.'),
    timing: Type.Object(
      {
        dns_ms: NullableMs('Looking the name up'),
        connect_ms: NullableMs('Connecting'),
        tls_ms: NullableMs('The TLS handshake'),
        first_byte_ms: NullableMs('Waiting for the first byte of the response'),
      },
      { description: 'Parts of the duration; null where they did not take place.' },
    ),
  },
  { $id: 'WebhookAttempt', description: 'One attempt: the request, and the response.' },
);

export const WebhookDeliveryDetails = Type.Object(
  {
    ...DELIVERY_FIELDS,
    body: Type.String({ description: 'What every attempt posts, byte for byte.' }),
    attempts: Type.Array(ref(WebhookAttempt), {
      description: `The newest ${MAX_SHOWN_ATTEMPTS}, in the order they were made. Attempts of earlier deliveries of the event are with those.`,
    }),
  },
  { $id: 'WebhookDeliveryDetails', description: 'A delivery with what was sent and what came back.' },
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
          'started: another delivery of the event has begun. requested: it was waiting, and its next attempt is made now. under_way: an attempt was being made already, so nothing was changed.',
      }),
      delivery_id: Type.String({ description: 'The delivery that sends: a new one when the named one had ended.' }),
    }),
  },
  { $id: 'WebhookRedeliveryEnvelope', description: 'What was done.' },
);

export const WebhookReplay = Type.Object(
  {
    replay_id: Type.String({ description: 'The replay.' }),
    endpoint_id: Type.String({ description: 'The endpoint it is for.' }),
    since: Timestamp('Events of this moment and later …'),
    until: Timestamp('… up to this one; when you asked, unless you named an earlier one.'),
    only_failed: Type.Boolean({ description: 'Events that were never tried are left out.' }),
    state: oneOf(REPLAY_STATES, {
      description:
        'running: events are checked, oldest first. done: all were; deliveries that were started go on by themselves. cancelled: by you, or because the endpoint was disabled or deleted.',
    }),
    events_seen: Type.Integer({ description: 'Number of events examined.' }),
    events_sent: Type.Integer({ description: 'Number of these for which a delivery was started.' }),
    created_at: Timestamp('When you asked.'),
    ended_at: NullableTimestamp('When it was over; null before.'),
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
      description: `Where to begin: a moment of the last ${MAX_REPLAY_DAYS} days.`,
    }),
    until: Type.Optional(Type.String({ pattern: MOMENT_PATTERN, description: 'Where to end; now if it is left out.' })),
    only_failed: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Only events that were tried and failed, not those raised while the endpoint was disabled.',
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
      Type.String({ description: 'A delivery_id: only older ones. The last one of a page leads to the next page.' }),
    ),
    state: Type.Optional(oneOf(DELIVERY_STATES, { description: 'Only deliveries in this state.' })),
    event: Type.Optional(oneOf(WEBHOOK_EVENT_TYPES, { description: 'Only events of this type.' })),
    transaction_id: Type.Optional(Type.String({ description: 'Only events of this transaction.' })),
    since: Type.Optional(
      Type.String({ pattern: MOMENT_PATTERN, description: 'Only deliveries started at this moment or later.' }),
    ),
    until: Type.Optional(
      Type.String({ pattern: MOMENT_PATTERN, description: 'Only deliveries started before this moment.' }),
    ),
  },
  { additionalProperties: false },
);

export const WebhookDeliveryParams = Type.Object({
  delivery_id: Type.String({ description: 'As in the list of deliveries.' }),
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

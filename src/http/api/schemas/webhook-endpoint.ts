import { type Static, Type } from 'typebox';
import { MODES } from '../../../../machines/index.ts';
import { TerminalError } from '../../../platform/errors.ts';
import { isId } from '../../../platform/ids.ts';
import {
  MAX_DESCRIPTION_CHARACTERS,
  MAX_PER_SECOND,
  MAX_SECRET_OVERLAP_HOURS,
  WEBHOOK_EVENT_TYPES,
} from '../../../webhooks/index.ts';
import { ERROR_CODES } from '../error-codes.ts';
import { PRINTABLE_PATTERN } from '../validation-problem.ts';
import { NullableTimestamp, nullable, oneOf, ref, Timestamp } from './primitives.ts';

const MAX_URL_CHARACTERS = 2_048;

export const WebhookEventName = oneOf(WEBHOOK_EVENT_TYPES, {
  $id: 'WebhookEventName',
  description: 'An event that an endpoint can receive.',
});

export const WebhookEndpoint = Type.Object(
  {
    endpoint_id: Type.String({ description: 'Sent as X-Webhook-ID with every delivery.' }),
    url: Type.String({ format: 'uri', description: 'Where events are sent.' }),
    events: Type.Array(ref(WebhookEventName), { description: 'The events it receives.' }),
    modes: Type.Array(oneOf(MODES), {
      description: 'Receive events of live payments, of test payments, or of both.',
    }),
    description: Type.String({ description: 'Your name for it; may be empty.' }),
    enabled: Type.Boolean({ description: 'Whether it receives events.' }),
    disabled_at: NullableTimestamp(
      'When it was disabled; null while it is enabled. To replay missed events, start a minute earlier.',
    ),
    disabled_because: Type.Unsafe<'merchant' | 'failing' | 'gone' | null>({
      type: ['string', 'null'],
      enum: ['merchant', 'failing', 'gone', null],
      description:
        'merchant: you disabled it. failing, gone: the service disabled it because it kept failing or responded with 410 Gone.',
    }),
    disables_itself: Type.Boolean({
      description: 'Whether the service may disable it after it has failed for days.',
    }),
    disables_on_gone: Type.Boolean({ description: 'Whether the service disables it when it responds with 410 Gone.' }),
    max_per_second: nullable<number>('integer', {
      description: 'Maximum attempts per second; null for no limit.',
    }),
    failing_since: NullableTimestamp(
      'When the first attempt since the last success failed; null if it is not failing.',
    ),
    secret_changed_at: Timestamp('When its secret was generated.'),
    previous_secret_until: NullableTimestamp(
      'Until when the previous secret also signs; may be in the past. null unless the secret was rotated with overlap.',
    ),
    created_at: Timestamp('When it was created.'),
  },
  { $id: 'WebhookEndpoint', description: 'Your URL that receives events.' },
);

const Secret = Type.String({ description: 'The secret that signs deliveries. It is shown only in this response.' });

export const WebhookEndpointEnvelope = Type.Object(
  { success: Type.Literal(true), data: ref(WebhookEndpoint) },
  { $id: 'WebhookEndpointEnvelope', description: 'The endpoint.' },
);

export const WebhookEndpointListEnvelope = Type.Object(
  { success: Type.Literal(true), data: Type.Object({ endpoints: Type.Array(ref(WebhookEndpoint)) }) },
  { $id: 'WebhookEndpointListEnvelope', description: 'All your endpoints, oldest first.' },
);

export const WebhookSecretEnvelope = Type.Object(
  { success: Type.Literal(true), data: Type.Object({ endpoint: ref(WebhookEndpoint), secret: Secret }) },
  { $id: 'WebhookSecretEnvelope', description: 'The endpoint, with its secret, which is shown only in this response.' },
);

export const WebhookEndpointDeletedEnvelope = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Object({ endpoint_id: Type.String(), deleted: Type.Literal(true) }),
  },
  { $id: 'WebhookEndpointDeletedEnvelope', description: 'The endpoint was deleted.' },
);

export const WebhookTestEnvelope = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Object({
      delivery_id: Type.String({ description: 'The queued delivery.' }),
      event_id: Type.String({ description: 'The `id` in the body.' }),
      event: ref(WebhookEventName),
    }),
  },
  { $id: 'WebhookTestEnvelope', description: 'A test event that was queued for delivery.' },
);

const Url = Type.String({
  minLength: 1,
  maxLength: MAX_URL_CHARACTERS,
  description: 'Must begin with https:// and lead to a public address, without user name, password or fragment.',
});
const Description = Type.String({
  maxLength: MAX_DESCRIPTION_CHARACTERS,
  pattern: PRINTABLE_PATTERN,
  description: 'Your name for it.',
});
const Events = Type.Unsafe<Static<typeof WebhookEventName>[] | null>({
  type: ['array', 'null'],
  items: ref(WebhookEventName),
  minItems: 1,
  description: 'The events it receives. null: all except payment.created.',
});
const Modes = Type.Array(oneOf(MODES), {
  minItems: 1,
  maxItems: 2,
  description: 'Receive events of live payments, of test payments, or of both. Default on create: ["live"].',
});
const Enabled = Type.Boolean({ description: 'Whether it receives events.' });
const DisablesItself = Type.Boolean({
  description: 'Whether the service may disable it after it has failed for days.',
});
const DisablesOnGone = Type.Boolean({ description: 'Whether the service disables it when it responds with 410 Gone.' });
const PerSecond = nullable<number>('integer', {
  minimum: 1,
  maximum: MAX_PER_SECOND,
  description: 'Maximum attempts per second; null for no limit.',
});

export const CreateWebhookEndpointBody = Type.Object(
  {
    url: Url,
    events: Type.Optional(Events),
    modes: Type.Optional(Modes),
    description: Type.Optional(Description),
    enabled: Type.Optional(Enabled),
    disables_itself: Type.Optional(DisablesItself),
    disables_on_gone: Type.Optional(DisablesOnGone),
    max_per_second: Type.Optional(PerSecond),
  },
  { additionalProperties: false },
);

/** Omitted fields stay unchanged. */
export const ChangeWebhookEndpointBody = Type.Partial(CreateWebhookEndpointBody, { additionalProperties: false });

export const RotateWebhookSecretBody = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_SECRET_OVERLAP_HOURS,
        default: MAX_SECRET_OVERLAP_HOURS,
        description: 'Number of hours for which the previous secret also signs.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const TestWebhookEndpointBody = Type.Object(
  { event: oneOf(WEBHOOK_EVENT_TYPES, { description: 'The event type of the sample.' }) },
  { additionalProperties: false },
);

export const WebhookEndpointParams = Type.Object({
  endpoint_id: Type.String({ description: 'The id returned by create.' }),
});

/** The id in the path. A malformed id is reported as not found, without a query. */
export function requireEndpointId({ endpoint_id: id }: Static<typeof WebhookEndpointParams>): string {
  if (isId('whk', id)) return id;
  throw new TerminalError('WEBHOOK_ENDPOINT_NOT_FOUND', ERROR_CODES.WEBHOOK_ENDPOINT_NOT_FOUND.message);
}

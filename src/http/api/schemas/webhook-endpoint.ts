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
import { NullableTimestamp, Timestamp } from './primitives.ts';
import { nullable, oneOf, ref } from './ref.ts';

const MAX_URL_CHARACTERS = 2_048;

export const WebhookEventName = oneOf(WEBHOOK_EVENT_TYPES, {
  $id: 'WebhookEventName',
  description: 'Events an endpoint can receive.',
});

export const WebhookEndpoint = Type.Object(
  {
    endpoint_id: Type.String({ description: 'Sent as X-Webhook-ID with every delivery.' }),
    url: Type.String({ format: 'uri', description: 'Where events are posted to.' }),
    events: Type.Array(ref(WebhookEventName), { description: 'The events it receives.' }),
    modes: Type.Array(oneOf(MODES), {
      description: 'Whose events it receives: those of live payments, of test payments, or both.',
    }),
    description: Type.String({ description: 'What you call it; may be empty.' }),
    enabled: Type.Boolean({ description: 'Whether it gets anything.' }),
    disabled_at: NullableTimestamp(
      'Since when it is disabled; null while it is enabled. To replay what it missed, start a minute before it.',
    ),
    disabled_because: Type.Unsafe<'merchant' | 'failing' | 'gone' | null>({
      type: ['string', 'null'],
      enum: ['merchant', 'failing', 'gone', null],
      description: 'Whether you have disabled it, or the service has because it kept failing or answered 410 Gone.',
    }),
    disables_itself: Type.Boolean({
      description: 'Whether the service may disable it when it keeps failing for days.',
    }),
    disables_on_gone: Type.Boolean({ description: 'Whether the service disables it when it answers 410 Gone.' }),
    max_per_second: nullable<number>('integer', {
      description: 'How many attempts a second it takes; null for no limit.',
    }),
    failing_since: NullableTimestamp('When the first attempt failed since the last success; null while it is well.'),
    secret_changed_at: Timestamp('When its secret was made.'),
    previous_secret_until: NullableTimestamp(
      'Until when the previous secret signs as well, which may be in the past; null unless the secret was rotated with overlap.',
    ),
    created_at: Timestamp('When it was created.'),
  },
  { $id: 'WebhookEndpoint', description: 'A URL of yours that receives events.' },
);

const Secret = Type.String({ description: 'The secret that signs deliveries. It is shown only in this response.' });

export const WebhookEndpointEnvelope = Type.Object(
  { success: Type.Literal(true), data: ref(WebhookEndpoint) },
  { $id: 'WebhookEndpointEnvelope', description: 'The endpoint.' },
);

export const WebhookEndpointListEnvelope = Type.Object(
  { success: Type.Literal(true), data: Type.Object({ endpoints: Type.Array(ref(WebhookEndpoint)) }) },
  { $id: 'WebhookEndpointListEnvelope', description: 'All your endpoints, the oldest first.' },
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
  { $id: 'WebhookEndpointDeletedEnvelope', description: 'The endpoint is gone.' },
);

export const WebhookTestEnvelope = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Object({
      delivery_id: Type.String({ description: 'The delivery, which is queued.' }),
      event_id: Type.String({ description: 'The `id` in the body.' }),
      event: ref(WebhookEventName),
    }),
  },
  { $id: 'WebhookTestEnvelope', description: 'A test event that was queued for delivery.' },
);

const Url = Type.String({
  minLength: 1,
  maxLength: MAX_URL_CHARACTERS,
  description: 'Begins with https:// and leads to a public address. No user name, password or fragment.',
});
const Description = Type.String({
  maxLength: MAX_DESCRIPTION_CHARACTERS,
  pattern: PRINTABLE_PATTERN,
  description: 'What you call it.',
});
const Events = Type.Unsafe<Static<typeof WebhookEventName>[] | null>({
  type: ['array', 'null'],
  items: ref(WebhookEventName),
  minItems: 1,
  description: 'The events it receives. null: all but payment.created.',
});
const Modes = Type.Array(oneOf(MODES), {
  minItems: 1,
  maxItems: 2,
  description:
    'Which events it receives: those of live payments, of test payments, or both. Default on create: ["live"].',
});
const Enabled = Type.Boolean({ description: 'Whether it gets anything.' });
const DisablesItself = Type.Boolean({
  description: 'Whether the service may disable it when it keeps failing for days.',
});
const DisablesOnGone = Type.Boolean({ description: 'Whether the service disables it when it answers 410 Gone.' });
const PerSecond = nullable<number>('integer', {
  minimum: 1,
  maximum: MAX_PER_SECOND,
  description: 'How many attempts a second it takes. null: no limit.',
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

export const ChangeWebhookEndpointBody = Type.Object(
  {
    url: Type.Optional(Url),
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

export const RotateWebhookSecretBody = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_SECRET_OVERLAP_HOURS,
        default: MAX_SECRET_OVERLAP_HOURS,
        description: 'For how many hours the previous secret signs as well.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const TestWebhookEndpointBody = Type.Object(
  { event: oneOf(WEBHOOK_EVENT_TYPES, { description: 'What the sample is of.' }) },
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

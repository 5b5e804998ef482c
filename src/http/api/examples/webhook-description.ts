export interface EventDescription {
  readonly summary: string;
  readonly description: string;
  /** Fields of the example payload that are specific to this event. */
  readonly state: object;
}

/**
 * An entry of `webhooks`: an event without a 2xx response within 10 seconds is sent again.
 * `component` is the schema of its body.
 */
export function describeEvent(
  event: string,
  component: string,
  fields: object,
  { summary, description, state }: EventDescription,
): readonly [event: string, described: object] {
  const post = {
    operationId: event,
    summary,
    description,
    tags: ['Webhooks'],
    security: [],
    parameters: HEADERS.map(([name, text]) => ({
      name,
      in: 'header',
      required: true,
      description: text,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${component}` },
          example: { event, ...fields, ...state },
        },
      },
    },
    responses: {
      '2XX': { description: 'Accepted. The content of the response is ignored.' },
      default: {
        description:
          'On any other status, and without a response within 10 seconds, it is sent again: up to ten times within 24 hours, with the same id.',
      },
    },
  };
  return [event, { post }];
}

// Helpers

const HEADERS = [
  ['X-Service-Signature', '`sha256=` and the HMAC-SHA256 of the raw body in hex, keyed with the whole secret.'],
  ['X-Service-Event', 'The event, as in the body.'],
  ['X-Webhook-ID', 'Your endpoint, the same on every delivery; do not use it to detect duplicates.'],
  ['X-Service-Attempt', '1 for the first attempt, then increasing.'],
  ['webhook-id', 'The id of the body (Standard Webhooks).'],
  ['webhook-timestamp', 'Unix seconds of this attempt (Standard Webhooks).'],
  ['webhook-signature', '`v1,` and a base64 signature over id, timestamp and body (Standard Webhooks).'],
] as const;

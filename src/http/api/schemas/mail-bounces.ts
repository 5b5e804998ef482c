import { Type } from 'typebox';

/** Most bounces per request; a provider's webhook has a few. */
const MAX_BOUNCES = 100;
/** Longest line of an email, and thus longest Message-ID (RFC 5322). */
const MAX_MESSAGE_ID_CHARACTERS = 998;
/** An enhanced status code (RFC 3463), like 5.1.1. */
const ENHANCED_STATUS_PATTERN = '^[245]\\.\\d{1,3}\\.\\d{1,3}$';

export const MailBouncesBody = Type.Object(
  {
    bounces: Type.Array(
      Type.Object(
        {
          message_id: Type.String({
            minLength: 1,
            maxLength: MAX_MESSAGE_ID_CHARACTERS,
            description: 'Message-ID of the bounced email, with or without angle brackets.',
          }),
          status: Type.String({
            pattern: ENHANCED_STATUS_PATTERN,
            description: 'Enhanced status code (RFC 3463) of the bounce, e.g. 5.1.1.',
          }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MAX_BOUNCES, description: 'The bounced emails.' },
    ),
  },
  { additionalProperties: false },
);

export const MailBouncesEnvelope = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    matched: Type.Integer({
      description: 'Number of emails of this service that this report marks as permanently undeliverable.',
    }),
  }),
});

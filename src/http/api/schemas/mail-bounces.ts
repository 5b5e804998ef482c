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
            description: 'Message-ID of the mail that came back, with or without its angle brackets.',
          }),
          status: Type.String({
            pattern: ENHANCED_STATUS_PATTERN,
            description: 'Enhanced status code (RFC 3463) that it came back with, like 5.1.1.',
          }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MAX_BOUNCES, description: 'The emails that came back.' },
    ),
  },
  { additionalProperties: false },
);

export const MailBouncesEnvelope = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    matched: Type.Integer({
      description: 'How many emails of this service are undeliverable for good by this report.',
    }),
  }),
});

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { type BounceDeps, type BounceReport, processBounces } from '../../../mail/index.ts';
import { TerminalError } from '../../../platform/errors.ts';
import { bearerTokenOf } from '../plugins/identity.ts';
import { createOperatorCheck } from '../plugins/operator.ts';
import { ErrorEnvelope } from '../schemas/error.ts';
import { ref } from '../schemas/primitives.ts';

/** Maximum number of bounces per request; a provider's webhook has a few. */
const MAX_BOUNCES = 100;
/** Longest line of an email, and thus longest Message-ID (RFC 5322). */
const MAX_MESSAGE_ID_CHARACTERS = 998;
/** An enhanced status code (RFC 3463), like 5.1.1. */
const ENHANCED_STATUS_PATTERN = '^[245]\\.\\d{1,3}\\.\\d{1,3}$';

const MailBouncesBody = Type.Object(
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

const MailBouncesEnvelope = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    matched: Type.Integer({
      description: 'Number of emails of this service that this report marks as permanently undeliverable.',
    }),
  }),
});

export interface BounceRouteDeps extends BounceDeps {
  /** Null: bounce reports are not accepted. */
  readonly bounceSecret: string | null;
}

/**
 * Bounce reports from a mail server, or from an adapter of a mail provider. For operators, as
 * docs/operators/mail.md describes, so it is not in the API reference. Authenticated by its own
 * secret.
 */
export const mailBouncesRoute: FastifyPluginAsyncTypebox<BounceRouteDeps> = async (app, deps) => {
  requireBounceSecret(app, deps.bounceSecret);
  app.addContentTypeParser(MESSAGE_TYPE, { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
  // Reads the body to its end, so that the client is still connected to receive the response.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async () => {
    throw unknownBody();
  });
  app.post(
    '/mail/bounces',
    {
      schema: {
        hide: true,
        body: { content: { 'application/json': { schema: MailBouncesBody } } },
        response: {
          200: MailBouncesEnvelope,
          400: ref(ErrorEnvelope),
          401: ref(ErrorEnvelope),
          404: ref(ErrorEnvelope),
          500: ref(ErrorEnvelope),
        },
      },
    },
    async ({ body }) => ({ success: true as const, data: await processBounces(deps, reportOf(body)) }),
  );
};

// Helpers

/** An email with all headers (RFC 5322), as a mail server passes it to a program. */
const MESSAGE_TYPE = 'message/rfc822';

/**
 * Runs before the body is read, so that unauthenticated clients cannot make
 * the service parse anything.
 */
function requireBounceSecret(app: FastifyInstance, secret: string | null): void {
  const isMailServer = createOperatorCheck(secret);
  app.addHook('onRequest', async (request, reply) => {
    if (secret === null) {
      throw new TerminalError(
        'NOT_FOUND',
        'Bounce reports are not accepted: the operator of this service has not set MAIL_BOUNCE_SECRET.',
      );
    }
    if (isMailServer(bearerTokenOf(request) ?? '')) return;
    void reply.header('WWW-Authenticate', 'Bearer realm="quittance bounces"');
    throw new TerminalError('UNAUTHORIZED', 'The bounce secret is required: send it as "Authorization: Bearer ...".');
  });
}

function reportOf(body: unknown): BounceReport {
  if (Buffer.isBuffer(body)) return { kind: 'message', raw: body };
  if (typeof body !== 'object' || body === null) throw unknownBody();
  // Any other body is JSON, which the schema has validated.
  const { bounces } = body as Static<typeof MailBouncesBody>;
  return { kind: 'list', bounces: bounces.map(({ message_id: messageId, status }) => ({ messageId, status })) };
}

function unknownBody(): TerminalError {
  return new TerminalError(
    'INVALID_REQUEST',
    `Send the report as it came, with "Content-Type: ${MESSAGE_TYPE}", or a list as JSON, with "Content-Type: application/json".`,
  );
}

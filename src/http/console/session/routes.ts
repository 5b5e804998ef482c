import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  findSession,
  isSetupOpen,
  requireSetupLink,
  type Session,
  setUp,
  signIn,
  signOut,
} from '../../../accounts/index.ts';
import { compileValidator } from '../validate.ts';
import { accountRoutes } from './account-routes.ts';
import { emailedLinkRoutes } from './emailed-link-routes.ts';
import { type GuardOptions, guardConsole, requireRole, signedInOf } from './guard.ts';
import { type MailInfo, type OpenInfo, SetupBody, type SignedIn, SignInBody, TokenBody } from './schemas.ts';
import { type UserOptions, userRoutes } from './user-routes.ts';

export type SessionOptions = GuardOptions & UserOptions;

/** Bodies contain a few short texts. */
const MAX_BODY_BYTES = 16 * 1024;
const CONSOLE_API = '/console/api';

/**
 * Sign-in and sign-out, the user's own account, and user management, to be registered at the root.
 * Responses are `{data}`, or `{error, message}`.
 */
export const sessionRoutes: FastifyPluginAsyncTypebox<SessionOptions> = async (app, options) => {
  const { accounts, sendsMails } = options;
  const cookie = await guardConsole(app, options);
  app.setValidatorCompiler(compileValidator);
  app.removeContentTypeParser('text/plain');
  app.addHook('onRoute', (route) => {
    route.bodyLimit = MAX_BODY_BYTES;
  });

  app.post(`${CONSOLE_API}/sign-in`, { schema: { body: SignInBody } }, async (request, reply) => {
    const { token, expiresAt } = await signIn(accounts, {
      code: null,
      ...request.body,
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      formerToken: cookie.read(request),
    });
    // Null when the session was ended immediately, for example by a change of the password.
    request.signedIn = await findSession(accounts, token);
    const data = toSignedIn(signedInOf(request));
    cookie.write(reply, token, expiresAt);
    return { data };
  });

  app.get(`${CONSOLE_API}/setup`, async () => ({
    data: { isOpen: await isSetupOpen(accounts.db) } satisfies OpenInfo,
  }));

  // A POST, so that no log of addresses holds the token.
  app.post(`${CONSOLE_API}/setup/link`, { schema: { body: TokenBody } }, async (request) => {
    await requireSetupLink(accounts.db, request.body.token);
    return { data: null };
  });

  app.post(`${CONSOLE_API}/setup`, { schema: { body: SetupBody } }, async (request, reply) => {
    const userAgent = request.headers['user-agent'] ?? '';
    const { token, expiresAt } = await setUp(accounts, { ...request.body, address: request.ip, userAgent });
    request.signedIn = await findSession(accounts, token);
    const data = toSignedIn(signedInOf(request));
    cookie.write(reply, token, expiresAt);
    return { data };
  });

  app.get(`${CONSOLE_API}/mail-info`, async () => ({ data: { sendsMails } satisfies MailInfo }));

  app.post(`${CONSOLE_API}/sign-out`, async (request, reply) => {
    const token = cookie.read(request);
    if (token !== null) await signOut(accounts, token);
    cookie.clear(reply);
    return { data: null };
  });

  app.get(`${CONSOLE_API}/me`, { onRequest: requireRole() }, async (request) => ({
    data: toSignedIn(signedInOf(request)),
  }));

  await app.register(accountRoutes, { prefix: CONSOLE_API, accounts });
  await app.register(userRoutes, { prefix: CONSOLE_API, accounts, sendsMails });
  await app.register(emailedLinkRoutes, { prefix: CONSOLE_API, accounts });
};

// Helpers

/** The id of the session is for the service alone. */
function toSignedIn({ userId, email, role, merchant, hasTotp, recoveryCodes }: Session): SignedIn {
  return { userId, email, role, merchant, hasTotp, recoveryCodes };
}

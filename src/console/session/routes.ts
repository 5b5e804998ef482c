import type { FastifyPluginAsync } from 'fastify';
import { findSession, isSetupOpen, setUp, signIn, signOut } from '../../accounts/index.ts';
import type { SetupInfo } from '../contract/accounts.ts';
import type { SignedIn } from '../contract/session.ts';
import { maybe, readFields, text } from '../reading.ts';
import { accountRoutes } from './account-routes.ts';
import { guardConsole, requireRole, signedInOf } from './guard.ts';
import type { SessionOptions } from './options.ts';
import { passwordResetRoutes } from './password-reset-routes.ts';
import { signUpRoutes } from './sign-up-routes.ts';
import { userRoutes } from './user-routes.ts';
import { signedInView } from './views.ts';

/** Bodies contain a few short texts. */
const MAX_BODY_BYTES = 16 * 1024;
const CONSOLE_API = '/console/api';

/**
 * Sign-in and sign-out, the user's own account, and user management, to be registered at the root.
 * Responses are `{data}`, or `{error, message}`.
 */
export const sessionRoutes: FastifyPluginAsync<SessionOptions> = async (app, options) => {
  const { accounts } = options;
  const cookie = await guardConsole(app, options);
  app.removeContentTypeParser('text/plain');
  app.addHook('onRoute', (route) => {
    route.bodyLimit = MAX_BODY_BYTES;
  });

  app.post(`${CONSOLE_API}/sign-in`, async (request, reply) => {
    const { email, password, code } = readFields(request.body, { email: text, password: text, code: maybe(text) });
    const { token, expiresAt } = await signIn(accounts, {
      email,
      password,
      code: code ?? null,
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      formerToken: cookie.read(request),
    });
    // Null when the session was ended immediately, for example by a change of the password.
    request.signedIn = await findSession(accounts, token);
    const data = signedInView(signedInOf(request)) satisfies SignedIn;
    cookie.write(reply, token, expiresAt);
    return { data };
  });

  app.get(`${CONSOLE_API}/setup`, async () => ({
    data: { isOpen: await isSetupOpen(accounts.db) } satisfies SetupInfo,
  }));

  app.post(`${CONSOLE_API}/setup`, async (request, reply) => {
    const wanted = readFields(request.body, { token: text, email: text, password: text });
    const userAgent = request.headers['user-agent'] ?? '';
    const { token, expiresAt } = await setUp(accounts, { ...wanted, address: request.ip, userAgent });
    request.signedIn = await findSession(accounts, token);
    const data = signedInView(signedInOf(request)) satisfies SignedIn;
    cookie.write(reply, token, expiresAt);
    return { data };
  });

  app.post(`${CONSOLE_API}/sign-out`, async (request, reply) => {
    const token = cookie.read(request);
    if (token !== null) await signOut(accounts, token);
    cookie.clear(reply);
    return { data: null };
  });

  app.get(`${CONSOLE_API}/me`, { onRequest: requireRole() }, async (request) => ({
    data: signedInView(signedInOf(request)) satisfies SignedIn,
  }));

  await app.register(accountRoutes, { prefix: CONSOLE_API, accounts });
  await app.register(userRoutes, { prefix: CONSOLE_API, accounts, sendsMails: options.sendsMails });
  await app.register(signUpRoutes, { prefix: CONSOLE_API, accounts });
  await app.register(passwordResetRoutes, {
    prefix: CONSOLE_API,
    accounts,
    log: options.log,
    outages: options.outages,
  });
};

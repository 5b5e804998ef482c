import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  type AccountsDeps,
  beginTotp,
  changePassword,
  confirmTotp,
  disableTotp,
  listSessions,
  reauthenticate,
  regenerateRecoveryCodes,
  revokeSession,
} from '../../../accounts/index.ts';
import { IdParams } from '../schema.ts';
import { requireRole, signedInOf, signedInUserOf } from './guard.ts';
import {
  BothFactorsBody,
  CodeBody,
  PasswordBody,
  PasswordChangeBody,
  ReauthenticateBody,
  type RecoveryCodes,
} from './schemas.ts';

type AccountOptions = { readonly accounts: AccountsDeps };

/** The user's own account: password, authenticator app, sessions. In a guarded scope. */
export const accountRoutes: FastifyPluginAsyncTypebox<AccountOptions> = async (app, { accounts }) => {
  app.addHook('onRequest', requireRole());

  app.post('/password', { schema: { body: PasswordChangeBody } }, async (request) => {
    const { email } = signedInOf(request);
    await changePassword(accounts, signedInUserOf(request), { code: null, ...request.body, email });
    return { data: null };
  });

  app.post('/reauthenticate', { schema: { body: ReauthenticateBody } }, async (request) => {
    const { password, code = null } = request.body;
    await reauthenticate(accounts, signedInUserOf(request), { password, code });
    return { data: null };
  });

  app.post('/totp/begin', { schema: { body: PasswordBody } }, async (request) => ({
    data: await beginTotp(accounts, signedInUserOf(request), request.body.password),
  }));
  app.post('/totp/confirm', { schema: { body: CodeBody } }, async (request) => {
    const recoveryCodes = await confirmTotp(accounts, signedInUserOf(request), request.body.code);
    return { data: { recoveryCodes } satisfies RecoveryCodes };
  });
  app.post('/totp/disable', { schema: { body: BothFactorsBody } }, async (request) => {
    await disableTotp(accounts, signedInUserOf(request), request.body);
    return { data: null };
  });
  app.post('/recovery-codes', { schema: { body: BothFactorsBody } }, async (request) => {
    const recoveryCodes = await regenerateRecoveryCodes(accounts, signedInUserOf(request), request.body);
    return { data: { recoveryCodes } satisfies RecoveryCodes };
  });

  app.get('/sessions', async (request) => ({ data: await listSessions(accounts, signedInUserOf(request)) }));
  app.delete('/sessions/:id', { schema: { params: IdParams } }, async (request) => {
    await revokeSession(accounts, signedInUserOf(request), request.params.id);
    return { data: null };
  });
};

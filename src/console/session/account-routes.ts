import type { FastifyPluginAsync } from 'fastify';
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
} from '../../accounts/index.ts';
import type { RecoveryCodes, TotpBegun } from '../contract/accounts.ts';
import type { SessionInfo } from '../contract/session.ts';
import { maybe, readFields, text } from '../reading.ts';
import { requireRole, signedInOf } from './guard.ts';
import { actorOf } from './views.ts';

/** The user's own account: password, authenticator app, sessions. In a guarded scope. */
export const accountRoutes: FastifyPluginAsync<{ readonly accounts: AccountsDeps }> = async (app, { accounts }) => {
  app.addHook('onRequest', requireRole());

  app.post('/password', async (request) => {
    const signedIn = signedInOf(request);
    const change = readFields(request.body, { currentPassword: text, password: text });
    await changePassword(accounts, actorOf(signedIn), { ...change, email: signedIn.email });
    return { data: null };
  });

  app.post('/reauthenticate', async (request) => {
    const { password, code } = readFields(request.body, { password: text, code: maybe(text) });
    await reauthenticate(accounts, actorOf(signedInOf(request)), { password, code: code ?? null });
    return { data: null };
  });

  app.post('/totp/begin', async (request) => {
    const { password } = readFields(request.body, { password: text });
    return { data: (await beginTotp(accounts, actorOf(signedInOf(request)), password)) satisfies TotpBegun };
  });
  app.post('/totp/confirm', async (request) => {
    const { code } = readFields(request.body, { code: text });
    const recoveryCodes = await confirmTotp(accounts, actorOf(signedInOf(request)), code);
    return { data: { recoveryCodes } satisfies RecoveryCodes };
  });
  app.post('/totp/disable', async (request) => {
    const factors = readFields(request.body, { password: text, code: text });
    await disableTotp(accounts, actorOf(signedInOf(request)), factors);
    return { data: null };
  });
  app.post('/recovery-codes', async (request) => {
    const factors = readFields(request.body, { password: text, code: text });
    const recoveryCodes = await regenerateRecoveryCodes(accounts, actorOf(signedInOf(request)), factors);
    return { data: { recoveryCodes } satisfies RecoveryCodes };
  });

  app.get('/sessions', async (request) => ({
    data: (await listSessions(accounts, actorOf(signedInOf(request)))) satisfies readonly SessionInfo[],
  }));
  app.delete<{ Params: { id: string } }>('/sessions/:id', async (request) => {
    await revokeSession(accounts, actorOf(signedInOf(request)), request.params.id);
    return { data: null };
  });
};

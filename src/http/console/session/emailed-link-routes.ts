import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  confirmSignUp,
  readPasswordLink,
  requestPasswordReset,
  resetPassword,
  signUp,
} from '../../../accounts/index.ts';
import { outagesOf } from '../../plugins/index.ts';
import type { GuardOptions } from './guard.ts';
import { FirstPasswordBody, type OpenInfo, PasswordResetRequestBody, SignUpBody, TokenBody } from './schemas.ts';

/**
 * What users confirm through an emailed link: sign-up, where the operator has enabled it, and
 * password reset. In a guarded scope.
 */
export const emailedLinkRoutes: FastifyPluginAsyncTypebox<Pick<GuardOptions, 'accounts'>> = async (
  app,
  { accounts },
) => {
  app.get('/sign-up', async () => ({ data: { isOpen: accounts.signUp.isOpen } satisfies OpenInfo }));
  app.post('/sign-up', { schema: { body: SignUpBody } }, async (request, reply) => {
    await signUp(accounts, { ...request.body, address: request.ip });
    return reply.code(202).send({ data: null });
  });
  app.post('/sign-up/confirm', { schema: { body: FirstPasswordBody } }, async (request) => {
    await confirmSignUp(accounts, request.body);
    return { data: null };
  });

  app.post('/password-reset/request', { schema: { body: PasswordResetRequestBody } }, async (request, reply) => {
    /** A failure loses an email that the user can request again; an outage is logged. */
    const writeLater = (work: () => Promise<void>) =>
      void outagesOf(request)
        .watch(work)
        .catch((error: unknown) =>
          request.log.warn({ err: error }, 'an email to reset a password was not queued; the user can request another'),
        );
    await requestPasswordReset(accounts, { email: request.body.email, address: request.ip }, writeLater);
    // The response does not reveal whether the account exists.
    return reply.code(202).send({ data: null });
  });
  // A POST, so that no log of addresses holds the token.
  app.post('/password-reset/link', { schema: { body: TokenBody } }, async (request) => ({
    data: await readPasswordLink(accounts, request.body.token),
  }));
  app.post('/password-reset/confirm', { schema: { body: FirstPasswordBody } }, async (request) => {
    await resetPassword(accounts, request.body);
    return { data: null };
  });
};

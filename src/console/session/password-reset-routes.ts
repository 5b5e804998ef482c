import type { FastifyPluginAsync } from 'fastify';
import { requestPasswordReset, resetPassword } from '../../accounts/index.ts';
import { whileDatabaseAnswers } from '../../db/index.ts';
import { readFields, text } from '../reading.ts';
import type { SessionOptions } from './options.ts';

type PasswordResetOptions = Pick<SessionOptions, 'accounts' | 'log' | 'outages'>;

/** Password reset with a link sent by mail. In a guarded scope. */
export const passwordResetRoutes: FastifyPluginAsync<PasswordResetOptions> = async (app, options) => {
  const { accounts, log, outages } = options;

  /** A failure loses a mail that the user can request again; an outage is logged. */
  function writeLater(work: () => Promise<void>): void {
    void outages
      .watch(() => whileDatabaseAnswers(work))
      .catch((error: unknown) =>
        log.warn({ err: error }, 'a mail to reset a password was not written; the user can ask for another'),
      );
  }

  app.post('/password-reset/request', async (request, reply) => {
    const { email } = readFields(request.body, { email: text });
    await requestPasswordReset(accounts, { email, address: request.ip }, writeLater);
    // The response does not reveal whether the account exists.
    return reply.code(202).send({ data: null });
  });
  app.post('/password-reset/confirm', async (request) => {
    const { token, password } = readFields(request.body, { token: text, password: text });
    await resetPassword(accounts, { token, password });
    return { data: null };
  });
};

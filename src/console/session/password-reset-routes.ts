import type { FastifyPluginAsync } from 'fastify';
import { readFields, text } from '../reading.ts';
import type { Accounts } from './ports.ts';

/** Password reset with a link sent by mail. In a guarded scope. */
export const passwordResetRoutes: FastifyPluginAsync<{ readonly accounts: Accounts }> = async (app, { accounts }) => {
  app.post('/password-reset/request', async (request, reply) => {
    const { email } = readFields(request.body, { email: text });
    await accounts.requestPasswordReset({ email, address: request.ip });
    // The response does not reveal whether the account exists.
    return reply.code(202).send({ data: null });
  });
  app.post('/password-reset/confirm', async (request) => {
    const { token, password } = readFields(request.body, { token: text, password: text });
    await accounts.resetPassword({ token, password });
    return { data: null };
  });
};

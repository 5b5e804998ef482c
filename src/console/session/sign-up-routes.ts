import type { FastifyPluginAsync } from 'fastify';
import type { SignUpInfo } from '../contract/accounts.ts';
import { readFields, text } from '../reading.ts';
import type { Accounts } from './ports.ts';

/** Sign-up, where the operator has enabled it. In a guarded scope. */
export const signUpRoutes: FastifyPluginAsync<{ readonly accounts: Accounts }> = async (app, { accounts }) => {
  app.get('/sign-up', async () => ({ data: { isOpen: accounts.isSignUpOpen } satisfies SignUpInfo }));
  app.post('/sign-up', async (request, reply) => {
    const wanted = readFields(request.body, { email: text, merchantName: text });
    await accounts.signUp({ ...wanted, address: request.ip });
    return reply.code(202).send({ data: null });
  });
  app.post('/sign-up/confirm', async (request) => {
    await accounts.confirmSignUp(readFields(request.body, { token: text, password: text }));
    return { data: null };
  });
};

import type { FastifyPluginAsync } from 'fastify';
import { type AccountsDeps, confirmSignUp, signUp } from '../../accounts/index.ts';
import type { SignUpInfo } from '../contract/accounts.ts';
import { readFields, text } from '../reading.ts';

/** Sign-up, where the operator has enabled it. In a guarded scope. */
export const signUpRoutes: FastifyPluginAsync<{ readonly accounts: AccountsDeps }> = async (app, { accounts }) => {
  app.get('/sign-up', async () => ({ data: { isOpen: accounts.signUp.isOpen } satisfies SignUpInfo }));
  app.post('/sign-up', async (request, reply) => {
    const wanted = readFields(request.body, { email: text, merchantName: text });
    await signUp(accounts, { ...wanted, address: request.ip });
    return reply.code(202).send({ data: null });
  });
  app.post('/sign-up/confirm', async (request) => {
    await confirmSignUp(accounts, readFields(request.body, { token: text, password: text }));
    return { data: null };
  });
};

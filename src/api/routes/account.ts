import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type AccountDeps, getAccount } from '../../billing/index.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { AccountEnvelope } from '../schemas/billing.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/ref.ts';

export const accountRoute: FastifyPluginAsyncTypebox<AccountDeps> = async (app, deps) => {
  app.get(
    '/account',
    {
      schema: {
        operationId: 'getAccount',
        summary: 'Get your account',
        description: 'Your plan and what is used of it: the same for live and test keys. Only live payments count.',
        tags: ['Account'],
        response: { 200: ref(AccountEnvelope), ...failures('NO_ACTIVE_PLAN') },
      },
    },
    async (request, reply) => reply.send({ success: true, data: await getAccount(deps, callerOf(request)) }),
  );
};

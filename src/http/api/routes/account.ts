import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { SECOND_MS } from '../../../../machines/index.ts';
import { type AccountDeps, getAccount } from '../../../billing/index.ts';
import { callerOf } from '../plugins/require-secret-key.ts';
import { AccountEnvelope } from '../schemas/billing.ts';
import { failures } from '../schemas/error.ts';
import { BalanceListEnvelope } from '../schemas/market.ts';
import { ref } from '../schemas/primitives.ts';

/**
 * When this endpoint was deprecated, with the first release: a date of RFC 9745 in
 * structured field syntax (RFC 9651).
 */
const DEPRECATION = `@${Date.parse('2026-11-21T00:00:00Z') / SECOND_MS}`;
/**
 * The explanation itself as a data URL (RFC 2397), because an installation has
 * no URL for documentation.
 */
const EXPLANATION = encodeURIComponent(
  'This list is always empty: coins go straight to the wallets of merchants. Payments are in GET /transactions/list.',
);

/** The plan of a merchant, and its balances, which are always empty. */
export const accountRoutes: FastifyPluginAsyncTypebox<AccountDeps> = async (app, deps) => {
  app.get(
    '/account',
    {
      schema: {
        operationId: 'getAccount',
        summary: 'Get your account',
        description: 'Your plan and its usage, the same for live and test keys. Simulated payments do not count.',
        tags: ['Account'],
        response: { 200: ref(AccountEnvelope), ...failures('NO_ACTIVE_PLAN') },
      },
    },
    async (request, reply) => reply.send({ success: true, data: await getAccount(deps, callerOf(request)) }),
  );

  app.get(
    '/balances',
    {
      schema: {
        operationId: 'listBalances',
        summary: 'List balances (deprecated)',
        description: 'Always an empty list: coins go straight to your own wallets, and the service holds none.',
        deprecated: true,
        tags: ['Account'],
        response: {
          200: ref(BalanceListEnvelope, {
            headers: {
              Deprecation: { type: 'string', description: 'Date of deprecation (RFC 9745).' },
              Link: { type: 'string', description: 'Link to the explanation, with `rel="deprecation"`.' },
            },
          }),
          ...failures(),
        },
      },
    },
    async (_request, reply) => {
      void reply.header('Deprecation', DEPRECATION);
      void reply.header('Link', `<data:text/plain,${EXPLANATION}>; rel="deprecation"; type="text/plain"`);
      return reply.send({ success: true, data: [] });
    },
  );
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type CreateDeps, listPayableCryptos } from '../../payments/index.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { failures } from '../schemas/error.ts';
import { CryptocurrencyListEnvelope } from '../schemas/market.ts';
import { ref } from '../schemas/ref.ts';

export const merchantCryptosRoute: FastifyPluginAsyncTypebox<Pick<CreateDeps, 'db' | 'networks' | 'overview'>> = async (
  app,
  deps,
) => {
  app.get(
    '/merchant/cryptos',
    {
      schema: {
        operationId: 'listMerchantCryptocurrencies',
        summary: 'List the coins you can be paid in',
        description:
          'For a live key: the coins and tokens you have a wallet for, on networks this service watches. For a test key: all of them, since test payments need no wallet.',
        tags: ['Market data'],
        response: { 200: ref(CryptocurrencyListEnvelope), ...failures() },
      },
    },
    async (request, reply) => reply.send({ success: true, data: await listPayableCryptos(deps, callerOf(request)) }),
  );
};

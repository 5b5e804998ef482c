import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../plugins/authenticate.ts';
import type { Market } from '../ports.ts';
import { failures } from '../schemas/error.ts';
import { CryptocurrencyListEnvelope } from '../schemas/market.ts';
import { ref } from '../schemas/ref.ts';

export const merchantCryptosRoute: FastifyPluginAsyncTypebox<{ market: Pick<Market, 'merchantCryptos'> }> = async (
  app,
  { market },
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
    async (request, reply) =>
      reply.send({ success: true, data: [...(await market.merchantCryptos(callerOf(request)))] }),
  );
};

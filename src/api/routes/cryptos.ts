import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type CreateDeps, listCryptos } from '../../payments/index.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { failures } from '../schemas/error.ts';
import { CryptocurrencyListEnvelope } from '../schemas/market.ts';
import { ref } from '../schemas/ref.ts';

export const cryptosRoute: FastifyPluginAsyncTypebox<Pick<CreateDeps, 'networks'>> = async (app, { networks }) => {
  app.get(
    '/cryptos/list',
    {
      schema: {
        operationId: 'listCryptocurrencies',
        summary: 'List supported coins',
        description: 'Every coin and token of this release. What you can be paid in is `GET /merchant/cryptos`.',
        tags: ['Market data'],
        response: { 200: ref(CryptocurrencyListEnvelope), ...failures() },
      },
    },
    async (request, reply) => reply.send({ success: true, data: listCryptos(networks, callerOf(request).mode) }),
  );
};

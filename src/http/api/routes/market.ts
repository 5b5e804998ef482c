import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES } from '../../../../machines/index.ts';
import { type CreateDeps, listCryptos, listPayableCryptos } from '../../../payments/index.ts';
import { isoTime } from '../../../platform/iso-time.ts';
import { type RateTable, ratesUnavailable } from '../../../rates/index.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { failures } from '../schemas/error.ts';
import { CryptocurrencyListEnvelope, PricesEnvelope } from '../schemas/market.ts';
import { ref } from '../schemas/ref.ts';

/** Rates, and the coins that payments can be made in. */
export const marketRoutes: FastifyPluginAsyncTypebox<
  Pick<CreateDeps, 'db' | 'networks' | 'overview' | 'rates'>
> = async (app, deps) => {
  const { rates, networks } = deps;
  app.get(
    '/prices',
    {
      schema: {
        operationId: 'getPrices',
        summary: 'Get current rates',
        description:
          'The rates in USD that payments of your key would be quoted at now. Test keys get sample rates where there is no live one; `sources` says so.',
        tags: ['Market data'],
        response: { 200: ref(PricesEnvelope), ...failures('RATE_FETCH_FAILED') },
      },
    },
    async (request, reply) => reply.send({ success: true, data: pricesOf(rates.forMode(callerOf(request).mode)) }),
  );

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

// Helpers

function pricesOf(table: RateTable): Static<typeof PricesEnvelope>['data'] {
  const crypto = CRYPTO_SYMBOLS.flatMap((symbol) => {
    const rate = table.get(symbol);
    return rate === null ? [] : [{ symbol, rate }];
  });
  if (crypto.length === 0) throw ratesUnavailable('any coin');
  const fiat = FIAT_CURRENCIES.flatMap((currency) => {
    const rate = table.getFiat(currency);
    return rate === null ? [] : [{ currency, rate }];
  });
  const oldest = Math.min(...[...crypto, ...fiat].map(({ rate }) => rate.updatedAt));
  return {
    base: 'USD',
    updated_at: isoTime(oldest),
    crypto: Object.fromEntries(
      crypto.map(({ symbol, rate: { usd, updatedAt, sources } }) => [
        symbol,
        { usd, updated_at: isoTime(updatedAt), sources: [...sources] },
      ]),
    ),
    fiat: Object.fromEntries(fiat.map(({ currency, rate }) => [currency, rate.usd])),
  };
}

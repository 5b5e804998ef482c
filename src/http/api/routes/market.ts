import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES } from '../../../../machines/index.ts';
import { type CreateDeps, listCryptos, listPayableCryptos } from '../../../payments/index.ts';
import { isoTime } from '../../../platform/iso-time.ts';
import { type RateTable, ratesUnavailable } from '../../../rates/index.ts';
import { callerOf } from '../plugins/require-secret-key.ts';
import { failures } from '../schemas/error.ts';
import { CryptocurrencyListEnvelope, PricesEnvelope } from '../schemas/market.ts';
import { ref } from '../schemas/primitives.ts';

/** Rates, and the coins for payments. */
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
          'The rates in USD at which payments with your key would be quoted now. Test keys get sample rates if there is no live one; `sources` says so.',
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
        description: 'All coins and tokens of this release. For those you can accept, see `GET /merchant/cryptos`.',
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
        summary: 'List the coins you can accept',
        description:
          'For a live key: the coins and tokens for which you have a wallet, on networks this service watches. For a test key: all of them, because simulated payments need no wallet; on test networks, those with your test wallet.',
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

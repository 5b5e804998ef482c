import type { FastifyPluginAsync } from 'fastify';
import { FIAT_CURRENCIES } from '../../../../machines/index.ts';
import { TerminalError } from '../../../errors.ts';
import type { LinkPrice } from '../../contract/links.ts';
import { listOf, maybe, oneOf, readFields, textUpTo, whole } from '../../reading.ts';
import { memberOf, mode } from '../member.ts';
import type { LinksDesk } from './port.ts';

/** Above the use case's limits, so that its errors can state them. */
const short = textUpTo(500);
const long = textUpTo(4_000);
const coins = listOf(textUpTo(20), 50);
/** Up to the year 9999. */
const moment = whole(0, 253_402_300_799_999);
const count = whole(1, Number.MAX_SAFE_INTEGER);

/** Payment links: list, create and close. For owners and staff. */
export const linksRoutes: FastifyPluginAsync<{ readonly links: LinksDesk }> = async (app, { links }) => {
  app.get('/links', async (request) => {
    const { cursor = null, ...page } = readFields(request.query, { mode, cursor: maybe(short) });
    return { data: await links.list(memberOf(request), { ...page, cursor }) };
  });

  app.post('/links', async (request, reply) => {
    const read = readFields(request.body, {
      mode,
      slug: maybe(short),
      title: short,
      description: maybe(long),
      amount: maybe(short),
      min: maybe(short),
      max: maybe(short),
      currency: oneOf(FIAT_CURRENCIES),
      cryptos: maybe(coins),
      successUrl: maybe(long),
      expiresAt: maybe(moment),
      maxUses: maybe(count),
    });
    const { amount, min, max, title, currency } = read;
    const made = await links.create(memberOf(request), {
      mode: read.mode,
      slug: read.slug ?? null,
      title,
      description: read.description ?? null,
      price: priceOf({ amount, min, max }),
      currency,
      cryptos: read.cryptos ?? [],
      successUrl: read.successUrl ?? null,
      expiresAt: read.expiresAt ?? null,
      maxUses: read.maxUses ?? null,
    });
    return reply.code(201).send({ data: made });
  });

  app.post('/links/:slug/close', async (request) => {
    const { slug } = readFields(request.params, { slug: short });
    const body = readFields(request.body, { mode });
    return { data: await links.close(memberOf(request), { ...body, slug }) };
  });
};

// Helpers

interface PriceFields {
  readonly amount: string | undefined;
  readonly min: string | undefined;
  readonly max: string | undefined;
}

function priceOf({ amount, min, max }: PriceFields): LinkPrice {
  if (amount === undefined) return { kind: 'open', min: min ?? null, max: max ?? null };
  if (min === undefined && max === undefined) return { kind: 'fixed', amount };
  const message = 'A link with amount has a fixed price: leave min and max out, or amount';
  throw new TerminalError('INVALID_REQUEST', message, { field: 'amount' });
}

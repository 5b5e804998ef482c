import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { UnixMs } from '../../../../../machines/index.ts';
import { MAX_IMAGE_BYTES, readImage } from '../../../../images/index.ts';
import {
  centsText,
  closeLink,
  createLink,
  isSlug,
  type LinkCursor,
  type ListedLink,
  type LinkPrice as PriceInCents,
  pageLinks,
  readPrice,
  shortAddress,
  stateOf,
} from '../../../../links/index.ts';
import { callerForMerchant } from '../../../../merchants/index.ts';
import { listPayableCryptos } from '../../../../payments/index.ts';
import { TerminalError } from '../../../../platform/errors.ts';
import { text } from '../../schema.ts';
import type { MerchantDeps } from '../deps.ts';
import { changeAsMember, memberOf } from '../member.ts';
import { Mode, OfMode } from '../schemas.ts';
import { type LinkInfo, type LinkPage, type LinkPrice, NewLinkBody } from './schemas.ts';

const LINKS_PER_PAGE = 50;
/** Base64 takes a third more bytes than the file; twice as many leave room for the other fields. */
const MAX_NEW_LINK_BYTES = 2 * MAX_IMAGE_BYTES;

const PageQuery = Type.Object({ mode: Mode, cursor: Type.Optional(text(500)) });
const LinkParams = Type.Object({ slug: text(500) });

type LinksDeps = Pick<MerchantDeps, 'db' | 'clock' | 'publicUrl' | 'create'>;

/** Payment links: list, create and close. For owners and staff. */
export const linksRoutes: FastifyPluginAsyncTypebox<LinksDeps> = async (app, deps) => {
  const { db, clock, publicUrl, create } = deps;
  const info = (link: ListedLink) => infoOf(link, { publicUrl, now: clock.now() });

  app.get('/links', { schema: { querystring: PageQuery } }, async (request) => {
    const { mode, cursor } = request.query;
    const { merchantId } = memberOf(request);
    const after = cursor === undefined ? null : readCursor(cursor);
    const [{ links, next }, payable] = await Promise.all([
      pageLinks({ db }, { merchantId, mode }, { after, limit: LINKS_PER_PAGE }),
      callerForMerchant(db, { merchantId, mode }).then((caller) => listPayableCryptos(create, caller)),
    ]);
    return {
      data: {
        links: links.map(info),
        cursor: next === null ? null : `${next.createdAt}.${next.slug}`,
        coins: payable.map(({ symbol }) => symbol),
      } satisfies LinkPage,
    };
  });

  const creation = { schema: { body: NewLinkBody }, bodyLimit: MAX_NEW_LINK_BYTES };
  app.post('/links', creation, async (request, reply) => {
    const { amount, min, max, image, ...body } = request.body;
    const member = memberOf(request);
    const price = readPrice({ amount: amount ?? null, min: min ?? null, max: max ?? null, names: NAMES });
    const made = await changeAsMember(deps, member, (change) =>
      createLink(change, {
        slug: null,
        description: null,
        cryptos: [],
        successUrl: null,
        expiresAt: null,
        maxUses: null,
        ...body,
        image: image === undefined ? null : readImage(image),
        price,
        merchantId: member.merchantId,
      }),
    );
    return reply.code(201).send({ data: info({ ...made, excessTransactionIds: [] }) });
  });

  app.post('/links/:slug/close', { schema: { params: LinkParams, body: OfMode } }, async (request) => {
    const member = memberOf(request);
    const name = { merchantId: member.merchantId, ...request.body, ...request.params };
    const closed = await changeAsMember(deps, member, (change) => closeLink(change, name));
    return { data: info({ ...closed, excessTransactionIds: [] }) };
  });
};

// Helpers

function infoOf(
  listed: ListedLink,
  { publicUrl, now }: { readonly publicUrl: string; readonly now: UnixMs },
): LinkInfo {
  const { merchantId: _, mode: __, code: ___, price, excessTransactionIds, ...link } = listed;
  return {
    ...link,
    url: shortAddress(publicUrl, listed),
    price: priceText(price),
    excessPaymentIds: excessTransactionIds,
    state: stateOf(link, now),
  };
}

const NAMES = { amount: 'amount', min: 'min', max: 'max' };

function priceText(price: PriceInCents): LinkPrice {
  if (price.kind === 'fixed') return { kind: price.kind, amount: centsText(price.cents) };
  const { kind, minCents, maxCents } = price;
  return {
    kind,
    min: minCents === null ? null : centsText(minCents),
    max: maxCents === null ? null : centsText(maxCents),
  };
}

const CURSOR = /^(\d{1,15})\.([a-z0-9-]{3,64})$/;

function readCursor(cursor: string): LinkCursor {
  const [, createdAt = '', slug = ''] = CURSOR.exec(cursor) ?? [];
  if (isSlug(slug)) return { createdAt: Number(createdAt), slug };
  const message = 'cursor must be the cursor of an earlier page; omit it to start with the newest link';
  throw new TerminalError('INVALID_REQUEST', message, { field: 'cursor' });
}

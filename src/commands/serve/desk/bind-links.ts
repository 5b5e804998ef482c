import type { UnixMs } from '../../../../machines/index.ts';
import type { LinksDesk } from '../../../console/index.ts';
import { TerminalError } from '../../../errors.ts';
import {
  centsText,
  closeLink,
  createLink,
  isSlug,
  type LinkPlace,
  type LinkPrice,
  type ListedLink,
  pageLinks,
  readCents,
  refusalOf,
} from '../../../links/index.ts';
import { actFor } from '../../../merchants/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import { listPayableCryptos } from '../../../payments/index.ts';
import { changeAs } from './change-as.ts';
import type { DeskDeps } from './deps.ts';

const LINKS_PER_PAGE = 50;

/** Payment links in the merchant console. */
export function bindLinks({ clock, create }: DeskDeps, { watch }: Pick<OutageNotice, 'watch'>): LinksDesk {
  const { db, publicUrl } = create;
  const toInfo = (link: ListedLink) => infoOf(link, clock.now());
  return {
    list: ({ merchantId }, { mode, cursor }) =>
      watch(async () => {
        const after = cursor === null ? null : placeIn(cursor);
        const [{ links, next }, payable] = await Promise.all([
          pageLinks({ db }, { merchantId, mode }, { after, limit: LINKS_PER_PAGE }),
          actFor(db, { merchantId, mode }).then((caller) => listPayableCryptos(create, caller)),
        ]);
        return {
          links: links.map(toInfo),
          cursor: next === null ? null : `${next.createdAt}.${next.slug}`,
          payUrl: `${publicUrl}/v1/pay`,
          coins: payable.map(({ symbol }) => symbol),
        };
      }),
    create: (member, { price, ...terms }) =>
      watch(async () => {
        const link = { ...terms, price: readPrice(price), merchantId: member.merchantId };
        const made = await changeAs({ db, clock }, member, (change) => createLink(change, link));
        return toInfo({ ...made, excessTransactionIds: [] });
      }),
    close: (member, { mode, slug }) =>
      watch(async () => {
        const name = { merchantId: member.merchantId, mode, slug };
        const closed = await changeAs({ db, clock }, member, (change) => closeLink(change, name));
        return toInfo({ ...closed, excessTransactionIds: [] });
      }),
  };
}

// Helpers

function infoOf({ merchantId: _, mode: __, price, excessTransactionIds, ...link }: ListedLink, now: UnixMs) {
  const refusal = refusalOf(link, 0, now);
  return {
    ...link,
    price: priceText(price),
    excessPaymentIds: excessTransactionIds,
    state: STATES[refusal ?? 'open'],
  };
}

/** Running payments are not considered here, so a link is never "being paid". */
const STATES = { open: 'open', being_paid: 'open', paid: 'used_up', closed: 'closed', expired: 'expired' } as const;

function priceText(price: LinkPrice) {
  if (price.kind === 'fixed') return { kind: price.kind, amount: centsText(price.cents) };
  const { kind, minCents, maxCents } = price;
  return {
    kind,
    min: minCents === null ? null : centsText(minCents),
    max: maxCents === null ? null : centsText(maxCents),
  };
}

function readPrice(price: Parameters<LinksDesk['create']>[1]['price']): LinkPrice {
  if (price.kind === 'fixed') return { kind: 'fixed', cents: readCents(price.amount) };
  const { kind, min, max } = price;
  return {
    kind,
    minCents: min === null ? null : readCents(min, 'min'),
    maxCents: max === null ? null : readCents(max, 'max'),
  };
}

const CURSOR = /^(\d{1,15})\.([a-z0-9-]{3,64})$/;

function placeIn(cursor: string): LinkPlace {
  const [, createdAt = '', slug = ''] = CURSOR.exec(cursor) ?? [];
  if (isSlug(slug)) return { createdAt: Number(createdAt), slug };
  const message = 'cursor must be what a page of links ended with; leave it out to begin with the newest';
  throw new TerminalError('INVALID_REQUEST', message, { field: 'cursor' });
}

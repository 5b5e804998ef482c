import type { Kysely, Selectable } from 'kysely';
import type { FiatCurrency, UnixMs } from '../../machines/index.ts';
import type { Scope } from '../payments/index.ts';
import type { Database } from '../platform/db/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { isSlug } from './code.ts';

/** Identifies a link: slugs are unique per merchant and mode. */
export interface LinkName extends Scope {
  readonly slug: string;
}

/** The price of a link, in cents of its currency: fixed, or chosen by the payer within bounds. */
export type LinkPrice =
  | { readonly kind: 'fixed'; readonly cents: bigint }
  | { readonly kind: 'open'; readonly minCents: bigint | null; readonly maxCents: bigint | null };

/** The terms of a link. They never change: the link may have been shared already. */
export interface LinkTerms {
  readonly title: string;
  readonly description: string | null;
  readonly price: LinkPrice;
  readonly currency: FiatCurrency;
  /** Coins it can be paid in; empty for all that the merchant accepts. */
  readonly cryptos: readonly string[];
  readonly successUrl: string | null;
  /** Null: it does not expire. */
  readonly expiresAt: UnixMs | null;
  /** How often it can be paid, 1 for a single-use link; null: unlimited. */
  readonly maxUses: number | null;
}

export interface PaymentLink extends LinkName, LinkTerms {
  /** The image that customers see; null for none. */
  readonly imageId: string | null;
  /** Identifies it in its short address. */
  readonly code: string;
  /** Completed payments that count: never more than `maxUses`. */
  readonly uses: number;
  /** Completed payments beyond `maxUses`, opened before the link was used up. */
  readonly excessUses: number;
  readonly createdAt: UnixMs;
  readonly closedAt: UnixMs | null;
}

/** The link of that name; null when there is none. */
export async function findLink(
  db: Kysely<Database>,
  { merchantId, mode, slug }: LinkName,
): Promise<PaymentLink | null> {
  const row = await db
    .selectFrom('payment_link')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('mode', '=', mode)
    .where('slug', '=', slug)
    .executeTakeFirst();
  return row === undefined ? null : toLink(row);
}

/** The link with that code; null when there is none. */
export async function findLinkByCode(db: Kysely<Database>, code: string): Promise<PaymentLink | null> {
  const row = await db.selectFrom('payment_link').selectAll().where('code', '=', code).executeTakeFirst();
  return row === undefined ? null : toLink(row);
}

/** The payment link that started a payment; null when it was started otherwise. */
export async function findLinkOfPayment(
  db: Kysely<Database>,
  transactionId: string,
): Promise<{ readonly slug: string; readonly title: string } | null> {
  const row = await db
    .selectFrom('link_payment')
    .innerJoin('payment_link', (join) =>
      join
        .onRef('payment_link.merchant_id', '=', 'link_payment.merchant_id')
        .onRef('payment_link.mode', '=', 'link_payment.mode')
        .onRef('payment_link.slug', '=', 'link_payment.slug'),
    )
    .select(['payment_link.slug', 'payment_link.title'])
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The requested link. Throws `INVALID_REQUEST` when it does not exist or belongs to another
 * merchant, without revealing which.
 */
export async function requireLink(db: Kysely<Database>, scope: Scope, slug: string): Promise<PaymentLink> {
  const { merchantId, mode } = scope;
  const link = isSlug(slug) ? await findLink(db, { merchantId, mode, slug }) : null;
  if (link !== null) return link;
  throw new TerminalError('INVALID_REQUEST', `link is not a payment link of this key (${mode} mode)`, {
    field: 'link',
  });
}

export function toLink(row: Selectable<Database['payment_link']>): PaymentLink {
  return {
    merchantId: row.merchant_id,
    mode: row.mode,
    slug: row.slug,
    code: row.code,
    title: row.title,
    description: row.description,
    imageId: row.image_id,
    price: priceOf(row),
    // `createLink` wrote a supported currency.
    currency: row.currency_fiat,
    cryptos: row.cryptos,
    successUrl: row.success_url,
    expiresAt: row.expires_at,
    maxUses: row.max_uses,
    uses: row.uses,
    excessUses: row.excess_uses,
    createdAt: row.created_at,
    closedAt: row.closed_at,
  };
}

// Helpers

type PriceColumns = Pick<
  Selectable<Database['payment_link']>,
  'amount_cents' | 'min_amount_cents' | 'max_amount_cents'
>;

function priceOf({ amount_cents: fixed, min_amount_cents: min, max_amount_cents: max }: PriceColumns): LinkPrice {
  if (fixed !== null) return { kind: 'fixed', cents: BigInt(fixed) };
  return {
    kind: 'open',
    minCents: min === null ? null : BigInt(min),
    maxCents: max === null ? null : BigInt(max),
  };
}

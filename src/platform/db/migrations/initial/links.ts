import { ID } from './storage.ts';

/** Payment links, and which payments were started through them. */
export const links: readonly string[] = [
  // Unique per merchant and mode, so that no merchant can discover or block another's slugs.
  `create table payment_link (
    merchant_id ${ID} not null references merchant (id),
    mode ${ID} not null check (mode in ('live', 'test')),
    slug ${ID} not null,
    code ${ID} not null unique,
    title text not null,
    description text,
    image_id ${ID} references image (id),
    amount_cents int8 check (amount_cents > 0),
    min_amount_cents int8 check (min_amount_cents > 0),
    max_amount_cents int8 check (max_amount_cents >= coalesce(min_amount_cents, 1)),
    currency_fiat text not null,
    cryptos text[] not null,
    success_url text,
    expires_at timestamptz,
    max_uses int4 check (max_uses > 0),
    uses int4 not null default 0,
    excess_uses int4 not null default 0,
    created_at timestamptz not null,
    closed_at timestamptz,
    primary key (merchant_id, mode, slug),
    check (amount_cents is null or (min_amount_cents is null and max_amount_cents is null)),
    check (uses <= max_uses)
  ) with (fillfactor = 70)`,
  // Counts a merchant's images.
  `create index payment_link_images on payment_link (merchant_id, image_id) where image_id is not null`,

  `create table link_payment (
    transaction_id ${ID} primary key,
    merchant_id ${ID} not null,
    mode ${ID} not null,
    slug ${ID} not null,
    counted_as text check (counted_as in ('use', 'excess')),
    foreign key (merchant_id, mode, slug) references payment_link (merchant_id, mode, slug)
  ) with (fillfactor = 80)`,
  `create index link_payment_uncounted on link_payment (merchant_id, mode, slug) where counted_as is null`,
];

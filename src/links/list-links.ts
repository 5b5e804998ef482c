import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Scope } from '../payments/index.ts';
import type { Database } from '../platform/db/index.ts';
import { type LinkName, type PaymentLink, toLink } from './link.ts';

export interface ListedLink extends PaymentLink {
  /** The payments beyond `maxUses`, oldest first: each is to be fulfilled or refunded. */
  readonly excessTransactionIds: readonly string[];
}

/** The last link of a page; the next page starts after it. */
export interface LinkCursor {
  readonly createdAt: UnixMs;
  readonly slug: string;
}

export interface LinkPage {
  readonly links: readonly ListedLink[];
  /** Null on the last page. */
  readonly next: LinkCursor | null;
}

/** Excess payments listed per link at most; `excessUses` counts all of them. */
export const MAX_LISTED_EXCESS = 20;

/**
 * A page of the links of one mode, newest first, then by slug, so that pages neither repeat nor
 * skip links of equal age.
 */
export async function pageLinks(
  { db }: LinkReader,
  scope: Scope,
  { after, limit }: { readonly after: LinkCursor | null; readonly limit: number },
): Promise<LinkPage> {
  const behind = after === null ? sql`` : sql`and (created_at, slug) < (${new Date(after.createdAt)}, ${after.slug})`;
  const found = await readLinks(db, sql`${ofScope(scope)} ${behind}`, { part: sql`limit ${limit + 1}` });
  const links = found.slice(0, limit);
  const last = links.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { links, next: hasMore ? { createdAt: last.createdAt, slug: last.slug } : null };
}

/** The same order, from the link after `offset` others; and how many there are. */
export async function findLinks(
  { db }: LinkReader,
  scope: Scope,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly links: readonly ListedLink[]; readonly total: number }> {
  const [links, total] = await Promise.all([
    readLinks(db, ofScope(scope), { part: sql`limit ${limit} offset ${offset}` }),
    sql<{ total: number }>`select count(*) as total from payment_link where ${ofScope(scope)}`.execute(db),
  ]);
  return { links, total: total.rows[0]?.total ?? 0 };
}

/** The link of that name with its excess payments; null when there is none. */
export async function findListedLink({ db }: LinkReader, { slug, ...scope }: LinkName): Promise<ListedLink | null> {
  return (await readLinks(db, sql`${ofScope(scope)} and slug = ${slug}`))[0] ?? null;
}

/** All links of a merchant, of both modes, newest first, each with all of its excess payments. */
export function listLinks(db: Kysely<Database>, merchantId: string): Promise<ListedLink[]> {
  return readLinks(db, sql`merchant_id = ${merchantId}`, { maxExcess: null });
}

// Helpers

interface LinkReader {
  readonly db: Kysely<Database>;
}

interface LinkRow extends Selectable<Database['payment_link']> {
  readonly excess: readonly string[];
}

function ofScope({ merchantId, mode }: Scope): RawBuilder<boolean> {
  return sql`merchant_id = ${merchantId} and mode = ${mode}`;
}

interface Part {
  /** Which of the links: `limit` and `offset`; all if omitted. */
  readonly part?: RawBuilder<unknown>;
  /** Null: all. */
  readonly maxExcess?: number | null;
}

async function readLinks(
  db: Kysely<Database>,
  condition: RawBuilder<unknown>,
  { part = sql``, maxExcess = MAX_LISTED_EXCESS }: Part = {},
): Promise<ListedLink[]> {
  const { rows } = await sql<LinkRow>`
      with page as (
        select * from payment_link where ${condition} order by created_at desc, slug desc ${part}
      )
      select page.*, array(
        select transaction_id
        from link_payment join transaction on transaction.id = transaction_id
        where link_payment.merchant_id = page.merchant_id and link_payment.mode = page.mode
          and link_payment.slug = page.slug and counted_as = 'excess'
        order by completed_at, transaction_id limit ${maxExcess}
      ) as excess
      from page order by created_at desc, slug desc`.execute(db);
  return rows.map((row) => ({ ...toLink(row), excessTransactionIds: row.excess }));
}

import { type Kysely, type Selectable, sql } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import { type Database, whileDatabaseAnswers } from '../db/index.ts';
import type { Scope } from '../payments/index.ts';
import { toLink } from './link.ts';
import type { ListedLink } from './list-links.ts';

/** The last link of a page; the next page starts after it. */
export interface LinkPlace {
  readonly createdAt: UnixMs;
  readonly slug: string;
}

export interface LinkPage {
  readonly links: readonly ListedLink[];
  /** Null on the last page. */
  readonly next: LinkPlace | null;
}

/** Excess payments listed per link at most; `excessUses` counts all of them. */
export const MAX_LISTED_EXCESS = 20;

/**
 * A page of the links of one mode, newest first, then by slug, so that pages neither repeat nor
 * skip links of equal age.
 */
export async function pageLinks(
  { db }: { readonly db: Kysely<Database> },
  { merchantId, mode }: Scope,
  { after, limit }: { readonly after: LinkPlace | null; readonly limit: number },
): Promise<LinkPage> {
  const behind = after === null ? sql`` : sql`and (created_at, slug) < (${new Date(after.createdAt)}, ${after.slug})`;
  const { rows } = await whileDatabaseAnswers(() =>
    sql<LinkRow>`
      with page as (
        select * from payment_link where merchant_id = ${merchantId} and mode = ${mode} ${behind}
        order by created_at desc, slug desc limit ${limit + 1}
      )
      select page.*, array(
        select transaction_id
        from link_payment join transaction on transaction.id = transaction_id
        where link_payment.merchant_id = page.merchant_id and link_payment.mode = page.mode
          and link_payment.slug = page.slug and counted_as = 'excess'
        order by completed_at, transaction_id limit ${MAX_LISTED_EXCESS}
      ) as excess
      from page order by created_at desc, slug desc`.execute(db),
  );
  const links = rows.slice(0, limit).map((row) => ({ ...toLink(row), excessTransactionIds: row.excess }));
  const last = links.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { links, next: hasMore ? { createdAt: last.createdAt, slug: last.slug } : null };
}

// Helpers

interface LinkRow extends Selectable<Database['payment_link']> {
  readonly excess: readonly string[];
}

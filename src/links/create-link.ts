import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { TerminalError } from '../errors.ts';
import type { Scope } from '../payments/index.ts';
import { checkTerms } from './check-terms.ts';
import { type LinkTerms, type PaymentLink, toLink } from './link.ts';
import { isSlug, newSlug, SLUG_RULE } from './slug.ts';

export interface NewLink extends Scope, LinkTerms {
  /** Null takes one that cannot be guessed. */
  readonly slug: string | null;
}

/**
 * Makes a link. Throws a `TerminalError`: `INVALID_LINK` with what to change, `LINK_EXISTS` when the slug is taken, also by a
 * link that is over: whoever kept the old address must not come to something else.
 */
export async function createLink(
  { db, clock }: { db: Kysely<Database>; clock: Clock },
  link: NewLink,
): Promise<PaymentLink> {
  const now = clock.now();
  if (link.slug !== null && !isSlug(link.slug)) throw new TerminalError('INVALID_LINK', SLUG_RULE);
  checkTerms(link, now);
  const { price } = link;
  const row = await db
    .insertInto('payment_link')
    .values({
      merchant_id: link.merchantId,
      mode: link.mode,
      slug: link.slug ?? newSlug(),
      title: link.title,
      description: link.description,
      amount_cents: price.kind === 'fixed' ? Number(price.cents) : null,
      min_amount_cents: price.kind === 'open' ? numberOrNull(price.minCents) : null,
      max_amount_cents: price.kind === 'open' ? numberOrNull(price.maxCents) : null,
      currency_fiat: link.currency,
      cryptos: link.cryptos,
      success_url: link.successUrl,
      expires_at: dateOrNull(link.expiresAt),
      max_uses: link.maxUses,
      created_at: new Date(now),
      closed_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row !== undefined) return toLink(row);
  throw new TerminalError(
    'LINK_EXISTS',
    `This merchant has a ${link.mode} link "${link.slug}" already; choose another`,
  );
}

// Helpers

/** Cents up to the largest amount are exact as doubles. */
function numberOrNull(cents: bigint | null): number | null {
  return cents === null ? null : Number(cents);
}

function dateOrNull(at: number | null): Date | null {
  return at === null ? null : new Date(at);
}

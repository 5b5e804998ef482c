import { sql, type Transaction } from 'kysely';
import { type Image, imageIdOf, saveImage } from '../images/index.ts';
import { type AuditedChange, writeAudit } from '../merchants/index.ts';
import type { Scope } from '../payments/index.ts';
import type { Database } from '../platform/db/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { checkTerms } from './check-terms.ts';
import { isSlug, newCode, newSlug, SLUG_RULE } from './code.ts';
import { findLink, type LinkName, type LinkTerms, type PaymentLink, toLink } from './link.ts';

export interface NewLink extends Scope, LinkTerms {
  /** Null generates a random one. */
  readonly slug: string | null;
  /** What customers see next to the title; null for none. */
  readonly image: Image | null;
}

/**
 * Creates a link. Throws a `TerminalError`: `INVALID_LINK` with the remedy, `LINK_EXISTS` when the
 * slug is taken, even by a closed or expired link: an old URL must not lead to something else.
 */
export async function createLink(change: AuditedChange, link: NewLink): Promise<PaymentLink> {
  const { trx, now } = change;
  if (link.slug !== null && !isSlug(link.slug)) throw new TerminalError('INVALID_LINK', SLUG_RULE, { field: 'slug' });
  checkTerms(link, now);
  if (link.image !== null) await requireImagesLeft(trx, link.merchantId, imageIdOf(link.image));
  const { price } = link;
  const row = await trx
    .insertInto('payment_link')
    .values({
      merchant_id: link.merchantId,
      mode: link.mode,
      slug: link.slug ?? newSlug(),
      code: newCode(),
      title: link.title,
      description: link.description,
      image_id: link.image === null ? null : await saveImage(trx, link.image, now),
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
  if (row === undefined) {
    const message = `This merchant already has a ${link.mode} link "${link.slug}"; choose another slug`;
    throw new TerminalError('LINK_EXISTS', message, { field: 'slug' });
  }
  const { merchantId, mode } = link;
  await writeAudit(change, { merchantId, what: 'payment_link.created', subjectId: row.slug, details: { mode } });
  return toLink(row);
}

/**
 * Closes a link permanently: it opens no new payments, and open ones can still be paid. Idempotent.
 * Throws a `TerminalError` `LINK_NOT_FOUND`.
 */
export async function closeLink(change: AuditedChange, name: LinkName): Promise<PaymentLink> {
  const { trx, now } = change;
  const { merchantId, mode, slug } = name;
  const { rows } = await sql`
    update payment_link set closed_at = ${new Date(now)}
    where merchant_id = ${merchantId} and mode = ${mode} and slug = ${slug} and closed_at is null
    returning slug`.execute(trx);
  const link = await findLink(trx, name);
  if (link === null) {
    throw new TerminalError('LINK_NOT_FOUND', `This merchant has no ${mode} link "${slug.slice(0, 64)}"`);
  }
  if (rows.length > 0) {
    await writeAudit(change, { merchantId, what: 'payment_link.closed', subjectId: slug, details: { mode } });
  }
  return link;
}

// Helpers

/** Different images in all links of one merchant, at 256 KB each; closed links keep theirs. */
const MAX_IMAGES = 500;

async function requireImagesLeft(trx: Transaction<Database>, merchantId: string, imageId: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int4 as count from (
      select distinct image_id from payment_link
      where merchant_id = ${merchantId} and image_id is not null and image_id <> ${imageId} limit ${MAX_IMAGES}
    ) as other`.execute(trx);
  if ((rows[0]?.count ?? 0) < MAX_IMAGES) return;
  const rule = `The links of this merchant already have ${MAX_IMAGES} different images: use one of them, or none`;
  throw new TerminalError('INVALID_LINK', rule, { field: 'image' });
}

/** Cents up to the largest amount are exact as doubles. */
function numberOrNull(cents: bigint | null): number | null {
  return cents === null ? null : Number(cents);
}

function dateOrNull(at: number | null): Date | null {
  return at === null ? null : new Date(at);
}

import { sql } from 'kysely';
import { TerminalError } from '../errors.ts';
import { type Change, writeAudit } from '../merchants/index.ts';
import { findLink, type LinkName, type PaymentLink } from './link.ts';

/**
 * Closes a link permanently: it opens no new payments, and open ones can still be paid. Idempotent.
 * Throws a `TerminalError` `LINK_NOT_FOUND`.
 */
export async function closeLink(change: Change, name: LinkName): Promise<PaymentLink> {
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

import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { TerminalError } from '../errors.ts';
import { findLink, type LinkName, type PaymentLink } from './link.ts';

/**
 * Closes a link for good: it opens no payment any more, and those that are open can still be paid. Closing it again
 * changes nothing. Throws a `TerminalError` `LINK_NOT_FOUND`.
 */
export async function closeLink(
  { db, clock }: { db: Kysely<Database>; clock: Clock },
  name: LinkName,
): Promise<PaymentLink> {
  await sql`
    update payment_link set closed_at = ${new Date(clock.now())}
    where merchant_id = ${name.merchantId} and mode = ${name.mode} and slug = ${name.slug}
      and closed_at is null`.execute(db);
  const link = await findLink(db, name);
  if (link !== null) return link;
  throw new TerminalError('LINK_NOT_FOUND', `This merchant has no ${name.mode} link "${name.slug.slice(0, 64)}"`);
}

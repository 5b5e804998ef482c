import { sql } from 'kysely';
import { type AuditedChange, writeAudit } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';

/** Where a removed image was shown. Merchants by name. */
export interface RemovedFrom {
  readonly merchants: readonly string[];
  readonly links: readonly { readonly merchant: string; readonly slug: string; readonly mode: string }[];
  /**
   * Merchants whose provisioning file references it: the next change of their entry restores it.
   */
  readonly provisioned: readonly string[];
}

/**
 * Deletes an image, removes it from everything that shows it, and records that in the audit log of
 * each merchant. Locks links in the order of their keys, as completed payments do, then merchants.
 * Throws a `TerminalError` `IMAGE_NOT_FOUND`. Does not prevent a new upload of the same image.
 */
export async function removeImage(change: AuditedChange, id: string): Promise<RemovedFrom> {
  const { trx } = change;
  const { rows: found } = await sql`select from image where id = ${id} for update`.execute(trx);
  if (found.length === 0) {
    throw new TerminalError('IMAGE_NOT_FOUND', 'Image not found; copy its URL from the page that shows it');
  }
  await sql`
    select from payment_link where image_id = ${id} order by merchant_id, mode, slug for no key update`.execute(trx);
  const { rows: merchants } = await sql<{ id: string; name: string }>`
    with shown as (select id from merchant where settings ->> 'logo' = ${id} order by id for no key update)
    update merchant set settings = settings - 'logo' from shown where merchant.id = shown.id
    returning merchant.id, name`.execute(trx);
  const { rows: links } = await sql<{ id: string; merchant: string; slug: string; mode: string }>`
    update payment_link set image_id = null from merchant
    where image_id = ${id} and merchant.id = payment_link.merchant_id
    returning merchant.id, merchant.name as merchant, slug, mode`.execute(trx);
  const { rows: provisioned } = await sql<{ name: string }>`
    select name from merchant where provisioned_settings ->> 'logo' = ${id} order by name`.execute(trx);
  await sql`delete from image where id = ${id}`.execute(trx);
  for (const merchantId of new Set([...merchants, ...links].map((shown) => shown.id))) {
    await writeAudit(change, { merchantId, what: 'merchant.image_removed', subjectId: id });
  }
  return {
    merchants: merchants.map(({ name }) => name).sort(),
    links: links.map(({ merchant, slug, mode }) => ({ merchant, slug, mode })),
    provisioned: provisioned.map(({ name }) => name),
  };
}

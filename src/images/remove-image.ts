import { sql, type Transaction } from 'kysely';
import type { Database } from '../platform/db/index.ts';
import { TerminalError } from '../platform/errors.ts';

/** Where a removed image was shown. Merchants by name. */
export interface RemovedFrom {
  readonly merchants: readonly string[];
  readonly links: readonly { readonly merchant: string; readonly slug: string; readonly mode: string }[];
}

/**
 * Deletes an image and takes it off everything that shows it. Locks merchants in the order of their
 * ids, then links. Throws a `TerminalError` `IMAGE_NOT_FOUND`. Does not keep it from being uploaded
 * again.
 */
export async function removeImage(trx: Transaction<Database>, id: string): Promise<RemovedFrom> {
  const { rows: found } = await sql`select from image where id = ${id} for update`.execute(trx);
  if (found.length === 0) {
    throw new TerminalError('IMAGE_NOT_FOUND', 'There is no such image; copy its address from the page that shows it');
  }
  const { rows: merchants } = await sql<{ name: string }>`
    with shown as (select id from merchant where settings ->> 'logo' = ${id} order by id for update)
    update merchant set settings = settings - 'logo' from shown where merchant.id = shown.id
    returning name`.execute(trx);
  const { rows: links } = await sql<{ merchant: string; slug: string; mode: string }>`
    update payment_link set image_id = null from merchant
    where image_id = ${id} and merchant.id = payment_link.merchant_id
    returning merchant.name as merchant, slug, mode`.execute(trx);
  await sql`delete from image where id = ${id}`.execute(trx);
  return { merchants: merchants.map(({ name }) => name).sort(), links };
}

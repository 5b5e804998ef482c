import { type Kysely, sql } from 'kysely';
import { accounts } from './initial/accounts.ts';
import { archive } from './initial/archive.ts';
import { billing } from './initial/billing.ts';
import { counts } from './initial/counts.ts';
import { engine } from './initial/engine.ts';
import { expire } from './initial/expire.ts';
import { links } from './initial/links.ts';
import { images, merchants } from './initial/merchants.ts';
import { monthPartitions } from './initial/month-partitions.ts';
import { operations } from './initial/operations.ts';
import { payments } from './initial/payments.ts';
import { recurringAndMail } from './initial/recurring-and-mail.ts';
import { walletsAndChains } from './initial/wallets-and-chains.ts';
import { webhooks } from './initial/webhooks.ts';

/** The schema of the first release. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_schema()) as name`.execute(db);
  // For functions with the owner's rights: their callers must not be able to place other tables
  // before those of this schema.
  const searchPath = `set search_path = ${rows[0]?.name ?? 'public'}, pg_temp`;
  const areas = [
    monthPartitions(searchPath),
    engine(searchPath),
    archive(searchPath),
    merchants,
    accounts,
    walletsAndChains,
    payments,
    counts,
    images,
    links,
    webhooks,
    recurringAndMail,
    billing,
    operations,
    expire(searchPath),
  ];
  for (const statement of areas.flat()) await sql.raw(statement).execute(db);
}

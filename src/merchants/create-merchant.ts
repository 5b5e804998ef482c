import { hash } from '@node-rs/argon2';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../platform/db/index.ts';
import { newId } from '../platform/ids.ts';
import type { MerchantSettings } from './settings.ts';

export interface NewMerchant {
  readonly name: string;
  readonly email: string;
  readonly plan: string;
  readonly settings: Partial<MerchantSettings>;
}

export interface UpsertedMerchant {
  readonly id: string;
  readonly created: boolean;
  /** The fields written to an existing merchant. */
  readonly changed: readonly string[];
}

/**
 * Finds or creates the merchant of that name. Email, settings and plan are each written only when
 * the file changed since it was last applied, so that reapplying it keeps what was changed, bought
 * or assigned in between.
 */
export async function upsertMerchant(trx: Transaction<Database>, input: NewMerchant): Promise<UpsertedMerchant> {
  const { name, email, plan } = input;
  const settings = JSON.stringify(input.settings);
  const provisioned = { provisioned_email: email, provisioned_plan: plan, provisioned_settings: settings };
  const existing = await findProvisioned(trx, input);
  if (existing !== undefined) {
    const changes = {
      ...(existing.is_same_email ? {} : { email }),
      ...(existing.is_same_settings ? {} : { settings }),
      ...(existing.is_same_plan ? {} : { plan, plan_cycle: null, plan_expires_at: null, plan_ends_on_day: null }),
    };
    await trx
      .updateTable('merchant')
      .set({ ...provisioned, ...changes })
      .where('id', '=', existing.id)
      .execute();
    return { id: existing.id, created: false, changed: Object.keys(changes) };
  }
  const id = newId('mer');
  await trx
    .insertInto('merchant')
    .values({ id, name, email, plan, settings, ...provisioned })
    .execute();
  return { id, created: true, changed: [] };
}

/** Ids of the logos of the merchants with these names. Locks nothing. */
export async function findLogos(
  trx: Transaction<Database>,
  names: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await trx
    .selectFrom('merchant')
    .select(['name', sql<string | null>`settings ->> 'logo'`.as('logo')])
    .where(sql<boolean>`name = any(${[...names]}::text[])`)
    .execute();
  return new Map(rows.map(({ name, logo }) => [name, logo]));
}

/**
 * Creates a merchant's first login, with the role owner. Only the argon2id hash of the password is
 * stored, with the parameters that OWASP recommends.
 */
export async function createLogin(
  trx: Transaction<Database>,
  { merchantId, email, password }: { merchantId: string; email: string; password: string },
): Promise<void> {
  const passwordHash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  await trx
    .insertInto('merchant_user')
    .values({ id: newId('usr'), merchant_id: merchantId, role: 'owner', email, password_hash: passwordHash })
    .execute();
}

// Helpers

/** The previous content of the file, compared by the database, which knows JSON equality. */
function findProvisioned(trx: Transaction<Database>, { name, email, plan, settings }: NewMerchant) {
  return trx
    .selectFrom('merchant')
    .select([
      'id',
      sql<boolean>`provisioned_email is not distinct from ${email}`.as('is_same_email'),
      sql<boolean>`provisioned_plan is not distinct from ${plan}`.as('is_same_plan'),
      sql<boolean>`provisioned_settings is not distinct from ${JSON.stringify(settings)}::jsonb`.as('is_same_settings'),
    ])
    .where('name', '=', name)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

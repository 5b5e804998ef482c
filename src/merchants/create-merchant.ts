import { hash } from '@node-rs/argon2';
import type { Transaction } from 'kysely';
import type { Database } from '../db/index.ts';
import { newId } from '../ids.ts';
import type { MerchantSettings } from './settings.ts';

export interface NewMerchant {
  readonly name: string;
  readonly email: string;
  readonly plan: string;
  readonly settings: Partial<MerchantSettings>;
}

/**
 * The merchant of that name; created when there is none. Email and settings are brought up to date. The plan is when it is
 * another than the last time: what was bought or given meanwhile survives the same file.
 */
export async function upsertMerchant(
  trx: Transaction<Database>,
  { name, email, plan, settings }: NewMerchant,
): Promise<{ id: string; created: boolean }> {
  const values = { email, provisioned_plan: plan, settings: JSON.stringify(settings) };
  const existing = await trx
    .selectFrom('merchant')
    .select(['id', 'provisioned_plan'])
    .where('name', '=', name)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (existing !== undefined) {
    const given = existing.provisioned_plan === plan ? {} : { plan, plan_cycle: null, plan_expires_at: null };
    await trx
      .updateTable('merchant')
      .set({ ...values, ...given })
      .where('id', '=', existing.id)
      .execute();
    return { id: existing.id, created: false };
  }
  const id = newId('mer');
  await trx
    .insertInto('merchant')
    .values({ id, name, plan, ...values })
    .execute();
  return { id, created: true };
}

/** Gives a merchant its first login, that of an owner. The password is kept as argon2id only, with the parameters OWASP asks for. */
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

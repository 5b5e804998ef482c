import type { Kysely } from 'kysely';
import { type CryptoSymbol, isCryptoSymbol, type Mode } from '../../machines/index.ts';
import type { Database } from '../platform/db/index.ts';
import { TerminalError } from '../platform/errors.ts';
import type { Caller } from './keys/authenticate.ts';
import { type MerchantSettings, withDefaults } from './settings.ts';

export interface FoundMerchant {
  readonly id: string;
  readonly plan: string;
  readonly settings: MerchantSettings;
  /** Including those whose network is not connected. */
  readonly wallets: readonly {
    readonly crypto: CryptoSymbol;
    readonly network: string;
    readonly mode: Mode;
  }[];
}

/**
 * A caller for work that the service itself does on behalf of a merchant, without a key. Rejects
 * when the merchant does not exist.
 */
export async function callerForMerchant(
  db: Kysely<Database>,
  { merchantId, mode }: Pick<Caller, 'merchantId' | 'mode'>,
): Promise<Caller> {
  const { plan, settings } = await db
    .selectFrom('merchant')
    .select(['plan', 'settings'])
    .where('id', '=', merchantId)
    .executeTakeFirstOrThrow();
  return { merchantId, keyId: 'service', kind: 'secret', mode, plan, settings: withDefaults(settings) };
}

/** Id and plan of the merchant of that name. Throws a `TerminalError` `MERCHANT_NOT_FOUND`. */
export async function requireMerchantNamed(
  db: Kysely<Database>,
  name: string,
): Promise<{ readonly id: string; readonly plan: string }> {
  const merchant = await db.selectFrom('merchant').select(['id', 'plan']).where('name', '=', name).executeTakeFirst();
  if (merchant !== undefined) return merchant;
  throw new TerminalError('MERCHANT_NOT_FOUND', `There is no merchant "${name}"; the console lists all names`);
}

/** The merchant of that name; null when there is none. */
export async function findMerchant(db: Kysely<Database>, name: string): Promise<FoundMerchant | null> {
  const row = await db
    .selectFrom('merchant')
    .select(['id', 'plan', 'settings'])
    .where('name', '=', name)
    .executeTakeFirst();
  if (row === undefined) return null;
  const found = await db
    .selectFrom('wallet')
    .innerJoin('derivation_key', 'derivation_key.id', 'wallet.derivation_key_id')
    .select(['wallet.crypto', 'wallet.network', 'derivation_key.mode'])
    .where('wallet.merchant_id', '=', row.id)
    .execute();
  const wallets = found.flatMap(({ crypto, ...more }) => (isCryptoSymbol(crypto) ? [{ crypto, ...more }] : []));
  return { id: row.id, plan: row.plan, settings: withDefaults(row.settings), wallets };
}

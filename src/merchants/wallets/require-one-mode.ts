import { type Kysely, sql } from 'kysely';
import type { Mode } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { derivationKeyIds, SEPARATE_KEYS_ADVICE } from '../../wallets/index.ts';

/**
 * Rejects a key that receives, or has received, this merchant's payments of the other mode, on any
 * network of any chain: a shop that accepts test coins as money, or receives money in a test
 * wallet, loses it. Other merchants do not count: anyone who knows a public key could otherwise
 * keep its owner from using it. Throws a `TerminalError` `WALLET_OF_OTHER_MODE`. Call it in a
 * transaction.
 */
export async function requireOneMode(
  db: Kysely<Database>,
  { merchantId, mode, keyId }: { readonly merchantId: string; readonly mode: Mode; readonly keyId: string },
): Promise<void> {
  // Serializes concurrent attempts to use the same key in both modes.
  await sql`select 1 from merchant where id = ${merchantId} for no key update`.execute(db);
  const { rows } = await sql<{ network: string }>`
    select network from derivation_key as key
    where id = any(${derivationKeyIds(keyId)}::text[]) and mode <> ${mode} and (
      exists (select from wallet where merchant_id = ${merchantId} and derivation_key_id = key.id)
      or exists (
        select from address join transaction on transaction.id = address.transaction_id
        where address.derivation_key_id = key.id and transaction.merchant_id = ${merchantId}
      )
    )
    limit 1`.execute(db);
  const [other] = rows;
  if (other === undefined) return;
  throw new TerminalError(
    'WALLET_OF_OTHER_MODE',
    `This key already receives ${mode === 'test' ? 'live' : 'test'} payments (${other.network}). ${SEPARATE_KEYS_ADVICE}`,
  );
}

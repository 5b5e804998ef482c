import type { Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';
import { newId } from '../ids.ts';
import { hashApiKey, newApiKey } from '../secrets/index.ts';

/** The four keys of a merchant, shown once. */
export interface IssuedKeys {
  readonly sk_live: string;
  readonly sk_test: string;
  readonly pk_live: string;
  readonly pk_test: string;
}

/** Issues a fresh set of keys. Only their hashes are stored. */
export async function issueKeys(trx: Transaction<Database>, merchantId: string, now: UnixMs): Promise<IssuedKeys> {
  const issue = async (kind: 'secret' | 'publishable', mode: 'live' | 'test'): Promise<string> => {
    const key = newApiKey(kind, mode);
    const row = {
      id: newId('key'),
      merchant_id: merchantId,
      kind,
      mode,
      key_hash: hashApiKey(key),
      hint: key.slice(-4),
    };
    await trx
      .insertInto('api_key')
      .values({ ...row, created_at: new Date(now), revoked_at: null })
      .execute();
    return key;
  };
  return {
    sk_live: await issue('secret', 'live'),
    sk_test: await issue('secret', 'test'),
    pk_live: await issue('publishable', 'live'),
    pk_test: await issue('publishable', 'test'),
  };
}

import type { Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';
import { insertKey } from './key-rows.ts';

/** The four keys of a merchant, shown once. */
export interface IssuedKeys {
  readonly sk_live: string;
  readonly sk_test: string;
  readonly pk_live: string;
  readonly pk_test: string;
}

/** Issues one new key of each kind and mode. Only their hashes are stored. */
export async function issueKeys(trx: Transaction<Database>, merchantId: string, now: UnixMs): Promise<IssuedKeys> {
  const issue = async (kind: 'secret' | 'publishable', mode: 'live' | 'test'): Promise<string> => {
    const change = { trx, who: 'provisioning', now };
    return (await insertKey(change, { merchantId, kind, mode, name: '' })).key;
  };
  return {
    sk_live: await issue('secret', 'live'),
    sk_test: await issue('secret', 'test'),
    pk_live: await issue('publishable', 'live'),
    pk_test: await issue('publishable', 'test'),
  };
}

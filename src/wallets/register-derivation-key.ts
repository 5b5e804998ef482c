import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { CHAINS, type Mode } from '../../machines/index.ts';
import type { Database } from '../platform/db/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { NETWORK_KINDS } from '../platform/network-kind.ts';
import { ADDRESS_TYPES } from './address-formats.ts';
import type { WalletKey } from './keys/derive.ts';
import { networkName } from './network-name.ts';

export interface DerivationKeySpec {
  readonly network: string;
  /** The mode of the payments that the key receives. */
  readonly mode: Mode;
  readonly walletKey: WalletKey;
  /** The `keyId` of the key, identical for all its forms. */
  readonly fingerprint: string;
}

/**
 * Stores a receive chain and returns its id, or the existing id if the same key was registered for
 * the same network before: both then share one index counter, because the addresses are the same. A
 * receive chain therefore serves one mode, for all merchants: even if a network changes from test
 * to live, live payments never get an address that test payments used. Throws a `TerminalError`
 * `WALLET_OF_OTHER_MODE`.
 */
export async function registerDerivationKey(db: Kysely<Database>, spec: DerivationKeySpec): Promise<string> {
  const { network, mode, walletKey, fingerprint } = spec;
  const identity = identityOf(network, walletKey.addressType, fingerprint);
  await db
    .insertInto('derivation_key')
    .values({
      id: idOf(identity),
      network,
      mode,
      fingerprint: identity,
      extended_public_key: walletKey.key,
      address_type: walletKey.addressType,
    })
    // Any conflict: `id` and `fingerprint` are both unique, and a concurrent insert can hit either.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db
    .selectFrom('derivation_key')
    .select(['id', 'mode'])
    .where('fingerprint', '=', identity)
    .executeTakeFirstOrThrow();
  if (row.mode === mode) return row.id;
  throw new TerminalError(
    'WALLET_OF_OTHER_MODE',
    `This key cannot receive ${mode} payments on ${network}. ${SEPARATE_KEYS_ADVICE}`,
  );
}

/** The remedy for a rejected key. */
export const SEPARATE_KEYS_ADVICE = 'Live and test payments cannot share a wallet: use a separate account key for each';

/** The ids of all possible receive chains of a key, on every network with every address type. */
export function derivationKeyIds(fingerprint: string): string[] {
  const networks = CHAINS.flatMap((chain) => NETWORK_KINDS.map((kind) => networkName(chain, kind)));
  return networks.flatMap((network) => ADDRESS_TYPES.map((type) => idOf(identityOf(network, type, fingerprint))));
}

// Helpers

function idOf(identity: string): string {
  return `dkey_${identity.slice(0, 32)}`;
}

function identityOf(network: string, addressType: string, fingerprint: string): string {
  return createHash('sha256')
    .update(JSON.stringify([network, addressType, fingerprint]))
    .digest('hex');
}

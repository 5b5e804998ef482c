import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { CHAINS } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';
import { TerminalError } from '../errors.ts';
import type { WalletKey } from './derive.ts';
import { networkName, parseNetworkName } from './derived-rows.ts';
import { ADDRESS_TYPES, NETWORK_KINDS } from './networks.ts';

export interface DerivationKeySpec {
  readonly network: string;
  /** Whose payments the key takes. */
  readonly mode: 'live' | 'test';
  readonly walletKey: WalletKey;
  /** The `keyId` of the key, the same for every form of it. */
  readonly fingerprint: string;
}

/**
 * Stores a receive chain, or finds it when the same key was given for the same network before: both then share one counter,
 * because the addresses are the same. A key serves one mode for ever, on all networks and chains, so that no test payment
 * can hand out an address of a live wallet. Throws a `TerminalError` `WALLET_OF_OTHER_MODE`. Call it in a transaction:
 * only there are two modes that are given the same key at once kept apart.
 */
export async function registerDerivationKey(db: Kysely<Database>, spec: DerivationKeySpec): Promise<string> {
  const { network, mode, walletKey, fingerprint } = spec;
  if (!parseNetworkName(network).simulated) await requireOneMode(db, spec);
  const identity = identityOf(network, walletKey.addressType, fingerprint);
  const id = `dkey_${identity.slice(0, 32)}`;
  await db
    .insertInto('derivation_key')
    .values({
      id,
      network,
      mode,
      fingerprint: identity,
      extended_public_key: walletKey.key,
      address_type: walletKey.addressType,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return id;
}

// Helpers

function identityOf(network: string, addressType: string, fingerprint: string): string {
  return createHash('sha256')
    .update(JSON.stringify([network, addressType, fingerprint]))
    .digest('hex');
}

async function requireOneMode(db: Kysely<Database>, { mode, fingerprint }: DerivationKeySpec): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`wallet key ${fingerprint}`}, 0))`.execute(db);
  const other = await db
    .selectFrom('derivation_key')
    .select('network')
    .where('fingerprint', 'in', identitiesOf(fingerprint))
    .where('mode', '!=', mode)
    .limit(1)
    .executeTakeFirst();
  if (other === undefined) return;
  const [wanted, taken] = mode === 'test' ? ['test', 'live'] : ['live', 'test'];
  throw new TerminalError(
    'WALLET_OF_OTHER_MODE',
    `This key already takes ${taken} payments (${other.network}), and live and test payments never share a wallet. ` +
      `Give ${wanted} payments the key of an account of their own`,
  );
}

/** Every row that this key can have: on any network of any chain, with any type of address. */
function identitiesOf(fingerprint: string): string[] {
  const networks = CHAINS.flatMap((chain) => NETWORK_KINDS.map((kind) => networkName(chain, kind)));
  return networks.flatMap((network) => ADDRESS_TYPES.map((type) => identityOf(network, type, fingerprint)));
}

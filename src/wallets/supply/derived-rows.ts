import { type Kysely, sql } from 'kysely';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import type { AddressType } from '../address-formats.ts';
import { createDeriver, type Deriver } from '../keys/derive.ts';
import { isSimulatedIn, parseNetworkName } from '../network-name.ts';

export interface AddressRow {
  readonly derivationKeyId: string;
  readonly network: string;
  readonly address: string;
  readonly watchKey: string;
  readonly index: number;
}

export interface DerivationRange {
  readonly derivationKeyId: string;
  readonly network: string;
  readonly extendedPublicKey: string;
  readonly addressType: AddressType;
  readonly firstIndex: number;
  readonly count: number;
}

/** Derives a range of addresses. Omits indices without a valid child key (probability 2^-127). */
export function deriveRows({ derivationKeyId, network, firstIndex, count, ...key }: DerivationRange): AddressRow[] {
  return deriverOf(network, key)
    .addressesFrom(firstIndex, count)
    .map(({ index, address, watchKey }) => {
      return { derivationKeyId, network, index, address, watchKey };
    });
}

const MAX_DERIVERS = 1_000;
const derivers = new Map<string, Deriver>();

/** Cached: parsing a key and deriving its receive chain costs as much as about ten addresses. */
function deriverOf(network: string, key: Pick<DerivationRange, 'extendedPublicKey' | 'addressType'>): Deriver {
  const name = JSON.stringify([network, key.extendedPublicKey, key.addressType]);
  const known = derivers.get(name);
  if (known !== undefined) return known;
  const { chain, kind: networkKind } = parseNetworkName(network);
  const deriver = createDeriver({ chain, networkKind, addressType: key.addressType, key: key.extendedPublicKey });
  if (derivers.size >= MAX_DERIVERS) derivers.clear();
  derivers.set(name, deriver);
  return deriver;
}

const ADDRESS_COLUMNS = { text: ['network', 'address', 'watchKey', 'derivationKeyId'], int8: ['index'] } as const;

/**
 * Inserts free addresses. Existing rows are identical, because derivation is deterministic; they
 * may have been assigned, so they do not become free again.
 */
export async function insertAddresses(db: Kysely<Database>, rows: readonly AddressRow[]): Promise<void> {
  await sql`
    with fresh as (
      insert into address (network, address, watch_key, derivation_key_id, derivation_index)
      select * from ${unnestRows('given', ADDRESS_COLUMNS, rows)}
      on conflict do nothing returning derivation_key_id, derivation_index, network
    )
    insert into free_address (derivation_key_id, awaits_vetting, derivation_index, network)
    select derivation_key_id, not ${isSimulatedIn('network')}, derivation_index, network from fresh`.execute(db);
}

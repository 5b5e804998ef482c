import { type Kysely, sql } from 'kysely';
import { type CryptoSymbol, isCryptoSymbol, type UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';
import { type AddressType, parseNetworkName, previewAddresses, unusedRuns } from '../../wallets/index.ts';
import type { WalletMode } from './wallets.ts';

/** A key that receives a merchant's payments on one network: a coin, or Ethereum and its tokens. */
export interface ListedWallet {
  readonly id: string;
  readonly mode: WalletMode;
  /** Like `litecoin-mainnet`. */
  readonly network: string;
  /** The coins paid into it. */
  readonly cryptos: readonly CryptoSymbol[];
  readonly addressType: AddressType;
  /** The first `FIRST_ADDRESSES`, to recognise the wallet. The key itself is not shown again. */
  readonly firstAddresses: readonly string[];
  /** Number of addresses given to payments. */
  readonly handedOut: number;
  /** Index of the address the next payment gets. */
  readonly nextIndex: number;
  /** The highest index that ever received coins; null when none did. */
  readonly lastPaidIndex: number | null;
  /** Number of addresses given to payments after that index. */
  readonly unusedRun: number;
  /** What to do when the wallet may not find a later payment. */
  readonly warning: string | null;
  readonly attachedAt: UnixMs;
}

/** Addresses that the user compares with their own wallet, and that are shown later. */
export const FIRST_ADDRESSES = 5;

/** The current wallets of one merchant, by network. */
export async function listWallets(db: Kysely<Database>, merchantId: string): Promise<ListedWallet[]> {
  const runs = await unusedRuns(db, { merchantId });
  const { rows } = await sql<Row>`
    select wallets.id, wallets.attached_at, key.id as key_id, key.mode, key.extended_public_key, key.address_type,
      coalesce(free.index, key.next_index) as next_index
    from (
      select derivation_key_id, min(id) as id, min(created_at) as attached_at from wallet
      where merchant_id = ${merchantId} group by derivation_key_id
    ) as wallets
    join derivation_key as key on key.id = wallets.derivation_key_id
    left join lateral (
      select derivation_index as index from free_address where derivation_key_id = key.id
      order by awaits_vetting, derivation_index limit 1
    ) as free on true`.execute(db);
  const byKey = new Map(rows.map((row) => [row.key_id, row]));
  return runs.flatMap((run) => {
    const row = byKey.get(run.derivationKeyId);
    // Replaced between the two statements: the next read shows the new one.
    if (row === undefined) return [];
    return {
      id: row.id,
      mode: row.mode,
      network: run.network,
      cryptos: run.cryptos.filter(isCryptoSymbol),
      addressType: row.address_type,
      firstAddresses: firstAddressesOf(row, run.network),
      handedOut: run.handedOut,
      nextIndex: row.next_index,
      lastPaidIndex: run.lastPaidIndex,
      unusedRun: run.run,
      warning: run.warning,
      attachedAt: row.attached_at,
    };
  });
}

// Helpers

interface Row {
  id: string;
  attached_at: UnixMs;
  key_id: string;
  mode: WalletMode;
  extended_public_key: string;
  address_type: AddressType;
  next_index: number;
}

function firstAddressesOf({ extended_public_key: key, address_type: addressType }: Row, network: string): string[] {
  const { chain, kind: networkKind } = parseNetworkName(network);
  const preview = previewAddresses({ chain, networkKind, key, addressType, count: FIRST_ADDRESSES });
  return preview.addresses.map(({ address }) => address);
}

import { type Kysely, sql } from 'kysely';
import { type CryptoSymbol, DAY_MS, isCryptoSymbol, type Mode, type UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { type AddressType, parseNetworkName, previewAddresses, unusedRuns } from '../../wallets/index.ts';

/** A key that receives a merchant's payments on one network: a coin, or Ethereum and its tokens. */
export interface ListedWallet {
  readonly id: string;
  readonly mode: Mode;
  /** Such as `litecoin-mainnet`. */
  readonly network: string;
  /** The coins paid into it. */
  readonly cryptos: readonly CryptoSymbol[];
  readonly addressType: AddressType;
  /** The first `FIRST_ADDRESSES`, to recognise the wallet. The key itself is not shown again. */
  readonly firstAddresses: readonly string[];
  /** Number of addresses given to payments. */
  readonly allocated: number;
  /** Index of the address the next payment gets. */
  readonly nextIndex: number;
  /** The highest index that ever received coins; null when none did. */
  readonly lastPaidIndex: number | null;
  /** See `UnusedRun.run`. */
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
  const { rows } = await sql<ListedWalletRow>`
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
      allocated: run.allocated,
      nextIndex: row.next_index,
      lastPaidIndex: run.lastPaidIndex,
      unusedRun: run.run,
      warning: run.warning,
      attachedAt: row.attached_at,
    };
  });
}

interface ReplacedWallet {
  readonly at: UnixMs;
  readonly network: string;
  readonly cryptos: readonly string[];
  /** Email of the user who did it; null for a program or a deleted login. */
  readonly by: string | null;
}

/** How long a replacement is shown. */
const ANNOUNCED_MS = 7 * DAY_MS;
/** Replacements shown at most; further ones are in the audit log. */
const MAX_ANNOUNCED = 5;

/** Wallets of a merchant that were replaced in the last 7 days, newest first. */
export async function listReplacedWallets(
  db: Kysely<Database>,
  { merchantId, now }: { readonly merchantId: string; readonly now: UnixMs },
): Promise<readonly ReplacedWallet[]> {
  const { rows } = await sql<ReplacedWallet>`
      select occurred_at as at, details->>'network' as network, details->'cryptos' as cryptos, merchant_user.email as by
      from audit_entry
      left join merchant_user
        on who = 'user ' || merchant_user.id and merchant_user.merchant_id = audit_entry.merchant_id
      where audit_entry.merchant_id = ${merchantId} and what = 'wallet.replaced'
        and occurred_at > ${new Date(now - ANNOUNCED_MS)}
      order by occurred_at desc, audit_entry.id desc limit ${MAX_ANNOUNCED}`.execute(db);
  return rows;
}

// Helpers

interface ListedWalletRow {
  id: string;
  attached_at: UnixMs;
  key_id: string;
  mode: Mode;
  extended_public_key: string;
  address_type: AddressType;
  next_index: number;
}

function firstAddressesOf(
  { extended_public_key: key, address_type: addressType }: ListedWalletRow,
  network: string,
): string[] {
  const { chain, kind: networkKind } = parseNetworkName(network);
  const preview = previewAddresses({ chain, networkKind, key, addressType, count: FIRST_ADDRESSES });
  return preview.addresses.map(({ address }) => address);
}

import { type Kysely, sql } from 'kysely';
import { ASSETS, CHAINS, type Chain, type CryptoSymbol, isCryptoSymbol, type Mode } from '../../../machines/index.ts';
import { createBatchedLookup, type Database, unnestRows } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import {
  type AddressType,
  type KeyWarning,
  type NetworkKind,
  networkName,
  parseExtendedKey,
  registerDerivationKey,
  requireTestForm,
  testWalletKey,
} from '../../wallets/index.ts';
import { requireOneMode } from './require-one-mode.ts';

export interface WalletSpec {
  readonly crypto: CryptoSymbol;
  readonly extendedPublicKey: string;
  readonly addressType?: AddressType | undefined;
}

/**
 * Sets the wallet that receives a merchant's payments in one coin. An existing wallet is replaced
 * for future payments; addresses already issued stay watched. Merchants may share a key, which is
 * for operators to decide (`requireOwnKey` is for everyone else). Throws `TerminalError`
 * (`PRIVATE_KEY_REFUSED`, `INVALID_EXTENDED_KEY`, `WALLET_OF_OTHER_MODE` for a key that receives
 * the merchant's payments of the other mode).
 */
export async function attachWallet(
  db: Kysely<Database>,
  {
    merchantId,
    mode,
    spec,
    networkKind,
  }: { merchantId: string; mode: Mode; spec: WalletSpec; networkKind: NetworkKind },
): Promise<readonly KeyWarning[]> {
  const { chain } = ASSETS[spec.crypto];
  const key = parseExtendedKey({
    chain,
    networkKind,
    key: spec.extendedPublicKey,
    addressType: spec.addressType,
  });
  if (mode === 'test') requireTestForm(key);
  await requireOneMode(db, { merchantId, mode, keyId: key.keyId });
  const network = networkName(chain, networkKind);
  const derivationKeyId = await registerDerivationKey(db, { network, mode, walletKey: key, fingerprint: key.keyId });
  await putWallet(db, { merchantId, crypto: spec.crypto, network, derivationKeyId });
  return key.warnings;
}

/** Ensures that simulated test payments have addresses: the built-in key of each chain. */
export async function attachTestWallets(db: Kysely<Database>): Promise<void> {
  for (const chain of CHAINS) {
    const walletKey = testWalletKey(chain);
    const network = networkName(chain, 'simulated');
    const { keyId: fingerprint } = parseExtendedKey(walletKey);
    const derivationKeyId = await registerDerivationKey(db, { network, mode: 'test', walletKey, fingerprint });
    for (const crypto of symbolsOf(chain)) await putWallet(db, { merchantId: null, crypto, network, derivationKeyId });
  }
}

export interface WalletOfMerchant {
  readonly network: string;
  readonly derivationKeyId: string;
}

/** The wallets of a merchant, by name, for a coin: one per network. */
export async function findMerchantWallets(
  db: Kysely<Database>,
  { merchantName, crypto }: { merchantName: string; crypto: CryptoSymbol },
): Promise<WalletOfMerchant[]> {
  const rows = await db
    .selectFrom('wallet')
    .innerJoin('merchant', 'merchant.id', 'wallet.merchant_id')
    .select(['wallet.network', 'wallet.derivation_key_id'])
    .where('merchant.name', '=', merchantName)
    .where('wallet.crypto', '=', crypto)
    .orderBy('wallet.network')
    .execute();
  return rows.map((row) => ({ network: row.network, derivationKeyId: row.derivation_key_id }));
}

/** The ids of the merchants with a wallet of this key now. */
export async function findMerchantsOfKey(db: Kysely<Database>, derivationKeyId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('wallet')
    .select('merchant_id')
    .distinct()
    .where('derivation_key_id', '=', derivationKeyId)
    .where('merchant_id', 'is not', null)
    .orderBy('merchant_id')
    .execute();
  return rows.flatMap(({ merchant_id: id }) => (id === null ? [] : [id]));
}

export interface WalletFinder {
  /**
   * The wallet that receives a merchant's payments of a mode in a coin on a network; null for the
   * merchant selects the built-in wallet of simulated payments. Never returns a wallet of the other
   * mode. Throws `WALLET_NOT_CONFIGURED` when there is none, `RetryableError` without a database.
   */
  find(lookup: WalletLookup): Promise<WalletOfMerchant>;
}

export interface WalletLookup {
  readonly merchantId: string | null;
  readonly mode: Mode;
  readonly crypto: CryptoSymbol;
  readonly network: string;
}

/** Finds wallets; concurrent requests share one query. */
export function createWalletFinder({ db }: { db: Kysely<Database> }): WalletFinder {
  const walletOf = createBatchedLookup((keys) => findWallets(db, keys));
  return {
    async find(lookup) {
      const wallet = await walletOf(walletKey(lookup));
      if (wallet === null) throw walletNotConfigured(lookup);
      return wallet;
    },
  };
}

// Helpers

function walletNotConfigured({ mode, crypto, network }: WalletLookup): TerminalError {
  const [wallet, key] =
    mode === 'test'
      ? ['test wallet', `the extended public key of a wallet on ${network}`]
      : ['wallet', 'its extended public key'];
  return new TerminalError(
    'WALLET_NOT_CONFIGURED',
    `No ${wallet} is configured for ${crypto}: add ${key}, or pay with another coin`,
  );
}

function walletKey({
  merchantId,
  mode,
  crypto,
  network,
}: Pick<WalletLookup, 'merchantId' | 'mode' | 'network'> & { crypto: string }): string {
  return `${merchantId ?? ''} ${crypto} ${network} ${mode}`;
}

async function findWallets(db: Kysely<Database>, keys: readonly string[]): Promise<Map<string, WalletOfMerchant>> {
  const requested = keys.map((key) => {
    const [merchant_id = '', crypto = '', network = '', mode = ''] = key.split(' ');
    return { merchant_id, crypto, network, mode };
  });
  const { rows } = await sql<{
    merchant_id: string | null;
    crypto: string;
    network: string;
    mode: Mode;
    derivation_key_id: string;
  }>`
    select wallet.merchant_id, wallet.crypto, wallet.network, requested.mode, wallet.derivation_key_id
    from ${unnestRows('requested', { text: ['merchant_id', 'crypto', 'network', 'mode'] }, requested)}
    join wallet on coalesce(wallet.merchant_id, '') = requested.merchant_id and wallet.crypto = requested.crypto
      and wallet.network = requested.network
    join derivation_key as key on key.id = wallet.derivation_key_id
      and (wallet.merchant_id is null or key.mode = requested.mode)`.execute(db);
  return new Map(
    rows.map((row) => [
      walletKey({ ...row, merchantId: row.merchant_id }),
      { network: row.network, derivationKeyId: row.derivation_key_id },
    ]),
  );
}

function symbolsOf(chain: Chain): CryptoSymbol[] {
  return Object.keys(ASSETS)
    .filter(isCryptoSymbol)
    .filter((symbol) => ASSETS[symbol].chain === chain);
}

async function putWallet(
  db: Kysely<Database>,
  wallet: { merchantId: string | null; crypto: CryptoSymbol; network: string; derivationKeyId: string },
): Promise<void> {
  const { merchantId, crypto, network, derivationKeyId } = wallet;
  // Several processes that start simultaneously all ensure the same wallets.
  await sql`
    insert into wallet (id, merchant_id, crypto, network, derivation_key_id)
    values (${newId('wal')}, ${merchantId}, ${crypto}, ${network}, ${derivationKeyId})
    on conflict (coalesce(merchant_id, ''), crypto, network)
      do update set derivation_key_id = excluded.derivation_key_id
      where wallet.derivation_key_id <> excluded.derivation_key_id`.execute(db);
}

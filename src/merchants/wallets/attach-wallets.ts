import { sql } from 'kysely';
import { ASSETS, type CryptoSymbol, type Mode } from '../../../machines/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { type AddressType, type NetworkKind, networkName, previewAddresses } from '../../wallets/index.ts';
import { type AuditedAction, type AuditedChange, writeAudit } from '../audit/audit.ts';
import { requireOwnKey } from './require-own-key.ts';
import { attachWallet } from './wallets.ts';

export interface WalletsToAttach {
  readonly merchantId: string;
  /** Coins of one chain: one Ethereum key serves its coin and all tokens. */
  readonly cryptos: readonly CryptoSymbol[];
  readonly mode: Mode;
  readonly networkKind: NetworkKind;
  readonly extendedPublicKey: string;
  /** Defaults to the type that the key's prefix implies. */
  readonly addressType?: AddressType | undefined;
  /** The address at index 0, as the user found it in the wallet. */
  readonly firstAddress: string;
  /** Whether existing wallets may be replaced. */
  readonly replaces: boolean;
}

export interface AttachedWallets {
  readonly network: string;
  readonly attached: readonly CryptoSymbol[];
  readonly replaced: readonly CryptoSymbol[];
}

/**
 * Sets the wallet that receives a merchant's payments in these coins, for a user who has compared
 * its addresses. Addresses already issued from a replaced wallet stay watched. Setting the same key
 * again changes nothing. Throws a `TerminalError`: `PRIVATE_KEY_REFUSED`, `INVALID_EXTENDED_KEY`,
 * `INVALID_REQUEST` for coins of several chains, `ADDRESS_MISMATCH` when the key has another first
 * address, `WALLET_OF_OTHER_MODE`, `WALLET_SHARED` (to report with `reportSharedKey`) when the key
 * is another merchant's, `WALLET_EXISTS` when one exists and `replaces` is false.
 */
export async function attachWallets(change: AuditedChange, input: WalletsToAttach): Promise<AttachedWallets> {
  const { merchantId, mode, networkKind, extendedPublicKey, addressType } = input;
  const cryptos = [...new Set(input.cryptos)];
  const chain = chainOf(cryptos);
  const { keyId, addresses } = previewAddresses({ chain, networkKind, key: extendedPublicKey, count: 1, addressType });
  if (addresses[0]?.address !== input.firstAddress) throw otherAddress();
  // Serializes changes to a merchant's wallets, so that the audit entry states what happened.
  await sql`select 1 from merchant where id = ${merchantId} for no key update`.execute(change.trx);
  const network = networkName(chain, networkKind);
  const before = await readWallets(change, { merchantId, network });
  for (const crypto of cryptos) {
    await attachWallet(change.trx, { merchantId, mode, spec: { crypto, extendedPublicKey, addressType }, networkKind });
  }
  const after = await readWallets(change, { merchantId, network });
  const attached = cryptos.filter((crypto) => !before.has(crypto));
  const replaced = cryptos.filter((crypto) => before.has(crypto) && before.get(crypto)?.key !== after.get(crypto)?.key);
  const derivationKeyId = after.get(cryptos[0] ?? '')?.key;
  const isHeld = [...before.values()].some(({ key }) => key === derivationKeyId);
  if (derivationKeyId !== undefined && !isHeld) {
    await requireOwnKey(change.trx, { merchantId, cryptos, derivationKeyId, network });
  }
  if (replaced.length > 0 && !input.replaces) throw wouldReplace(replaced);
  const write = async (what: AuditedAction, coins: readonly CryptoSymbol[]) => {
    const subjectId = after.get(coins[0] ?? '')?.id;
    if (subjectId === undefined) return;
    const details = { network, mode, cryptos: coins, keyFingerprint: keyId.slice(0, FINGERPRINT_CHARACTERS) };
    await writeAudit(change, { merchantId, what, subjectId, details });
  };
  await write('wallet.attached', attached);
  await write('wallet.replaced', replaced);
  return { network, attached, replaced };
}

// Helpers

/** Enough of a SHA-256 to distinguish keys. */
const FINGERPRINT_CHARACTERS = 16;

interface WalletRow {
  readonly id: string;
  /** Id of its derivation key. */
  readonly key: string;
}

function chainOf(cryptos: readonly CryptoSymbol[]) {
  const [chain, ...others] = [...new Set(cryptos.map((crypto) => ASSETS[crypto].chain))];
  if (chain !== undefined && others.length === 0) return chain;
  throw new TerminalError('INVALID_REQUEST', 'cryptos must be one or more coins of one chain', { field: 'cryptos' });
}

/** By coin. */
async function readWallets(
  { trx }: AuditedChange,
  { merchantId, network }: { merchantId: string; network: string },
): Promise<ReadonlyMap<string, WalletRow>> {
  const rows = await trx
    .selectFrom('wallet')
    .select(['id', 'crypto', 'derivation_key_id as key'])
    .where('merchant_id', '=', merchantId)
    .where('network', '=', network)
    .execute();
  return new Map(rows.map(({ crypto, id, key }) => [crypto, { id, key }]));
}

function otherAddress(): TerminalError {
  return new TerminalError(
    'ADDRESS_MISMATCH',
    'The first address of this key differs from the one you compared; nothing was changed. Compare the addresses again',
    { field: 'firstAddress' },
  );
}

function wouldReplace(cryptos: readonly CryptoSymbol[]): TerminalError {
  return new TerminalError(
    'WALLET_EXISTS',
    `There is already another wallet for ${cryptos.join(', ')}; nothing was changed. Confirm that it is to be replaced`,
    { field: 'replaces' },
  );
}

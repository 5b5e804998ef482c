import { createHash } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { type Chain, familyOf } from '../../../machines/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { NetworkKind } from '../../platform/network-kind.ts';
import type { AddressType } from '../address-formats.ts';
import { CHAIN_ADDRESSING } from '../address-formats.ts';
import { decodeBase58check } from './base58check.ts';
import { explainKeyMistake } from './key-mistakes.ts';
import type { KeyVersion } from './key-versions.ts';
import { acceptedPrefixes, findViewVersion } from './key-versions.ts';
import { privateKeyRejection } from './private-material.ts';

/**
 * Parsing of a merchant's extended public key (BIP32, SLIP-132). A wrong guess sends money to
 * addresses the merchant's wallet never scans, so anything ambiguous is rejected and anything
 * unusual is returned as a warning. No error contains any part of the input, nor a `cause` that
 * might: keys must not be logged.
 */

export interface WalletKeySpec {
  readonly chain: Chain;
  readonly networkKind: NetworkKind;
  /** The extended public key exactly as the wallet shows it: no spaces, no descriptor around it. */
  readonly key: string;
  /** Overrides the address type implied by the key's version bytes. */
  readonly addressType?: AddressType | undefined;
}

export interface ExtendedKey {
  readonly chain: Chain;
  readonly networkKind: NetworkKind;
  readonly addressType: AddressType;
  readonly key: string;
  /** The key's four-letter prefix ("zpub"). */
  readonly prefix: string;
  /** BIP32 depth below the master key; 3 for an account key (m / purpose' / coin' / account'). */
  readonly depth: number;
  /** SHA-256 (hex) of chain code and public key: the same for all forms (xpub, zpub, dgub). */
  readonly keyId: string;
  readonly warnings: readonly KeyWarning[];
}

/** Something the merchant should check before using the key. `message` can be shown to users. */
export interface KeyWarning {
  readonly code: 'UNUSUAL_DEPTH' | 'ADDRESS_TYPE_ASSUMED' | 'ADDRESS_TYPE_OVERRIDDEN';
  readonly message: string;
}

/** No key, phrase or descriptor is longer; longer input is rejected without parsing. */
const MAX_TEXT_CHARACTERS = 4_096;
const EXTENDED_KEY_BYTES = 78;
const ACCOUNT_DEPTH = 3;
/** BIP32 stores depth in one byte, and an address is two levels below its account key. */
const MAX_DEPTH = 253;

/**
 * Parses and validates an extended public key for a chain's network. Throws a `TerminalError`:
 * `PRIVATE_KEY_REFUSED` for anything that can spend, `INVALID_EXTENDED_KEY` for anything else that
 * is not a valid public key for this network.
 */
export function parseExtendedKey(spec: WalletKeySpec): ExtendedKey {
  return readExtendedKey(spec).parsed;
}

/** Like `parseExtendedKey`, and returns the `HDKey` to derive from. Internal to this folder. */
export function readExtendedKey(spec: WalletKeySpec): { parsed: ExtendedKey; hdKey: HDKey } {
  const { chain, networkKind, key } = spec;
  if (key.length > MAX_TEXT_CHARACTERS) throw invalid('This is too long. Paste only the extended public key.');
  rejectPrivateMaterial(key);
  const payload = decodePayload(key);
  const row = acceptedVersion(payload, chain, networkKind);
  const hdKey = decodePublicKey(key, row);
  const addressType = spec.addressType ?? impliedAddressType(row, chain);
  if (addressType === null || !CHAIN_ADDRESSING[chain].addressTypes.includes(addressType)) {
    const types = CHAIN_ADDRESSING[chain].addressTypes.join(', ');
    throw invalid(`${CHAIN_ADDRESSING[chain].name} does not support this address type. Choose one of: ${types}.`);
  }
  const warnings = [...depthWarnings(hdKey.depth), ...addressTypeWarnings(spec, row, addressType)];
  const keyId = createHash('sha256').update(payload.subarray(13, EXTENDED_KEY_BYTES)).digest('hex');
  const { prefix } = row;
  return { parsed: { chain, networkKind, addressType, key, prefix, depth: hdKey.depth, keyId, warnings }, hdKey };
}

function rejectPrivateMaterial(text: string): void {
  const rejection = privateKeyRejection(text);
  if (rejection !== null) throw new TerminalError('PRIVATE_KEY_REFUSED', rejection);
}

/** The address type a version implies; null for multisig, always `evm` on an EVM chain. */
function impliedAddressType(row: KeyVersion, chain: Chain): AddressType | null {
  if (row.meaning === 'multisig') return null;
  return familyOf(chain) === 'evm' ? 'evm' : row.meaning;
}

function decodePayload(text: string): Uint8Array {
  const payload = decodeBase58check(text);
  if (payload?.length === EXTENDED_KEY_BYTES) return payload;
  throw invalid(explainKeyMistake(text, payload));
}

/** The key's version, never a private one; throws unless wallets of this network export it. */
function acceptedVersion(payload: Uint8Array, chain: Chain, networkKind: NetworkKind): KeyVersion {
  const isMainnet = networkKind === 'mainnet';
  const { name } = CHAIN_ADDRESSING[chain];
  const accepted = `${name} on ${networkKind} accepts: ${acceptedPrefixes(chain, !isMainnet).join(', ')}.`;
  const row = findViewVersion(new DataView(payload.buffer, payload.byteOffset).getUint32(0));
  if (row === undefined) throw invalid(`Unknown type of extended key. ${accepted}`);
  if (row.meaning === 'multisig') {
    throw invalid(
      `A ${row.prefix} belongs to a multi-signature wallet, whose addresses need all of its keys. ` +
        `Use the account of a single-signature wallet. ${accepted}`,
    );
  }
  if (!row.chains.includes(chain)) {
    const names = row.chains.map((other) => CHAIN_ADDRESSING[other].name).join(' or ');
    throw invalid(`A ${row.prefix} is a key of ${names}, not of ${name}. ${accepted}`);
  }
  if (isMainnet && row.form === 'test') {
    throw invalid(`A ${row.prefix} is a test network key; money sent to its addresses would be lost. ${accepted}`);
  }
  return row;
}

/** Checks the rest of BIP32: point on the curve, master key without parent, room for two levels. */
function decodePublicKey(key: string, row: KeyVersion): HDKey {
  const hdKey = tryDecode(key, row);
  if (hdKey === null || hdKey.depth > MAX_DEPTH) {
    throw invalid('The key is damaged: it does not contain a valid public key. Export it from your wallet again.');
  }
  return hdKey;
}

function tryDecode(key: string, row: KeyVersion): HDKey | null {
  try {
    return HDKey.fromExtendedKey(key, { public: row.viewVersion, private: row.privateVersion });
  } catch {
    return null;
  }
}

function depthWarnings(depth: number): KeyWarning[] {
  if (depth === ACCOUNT_DEPTH) return [];
  const what =
    depth < ACCOUNT_DEPTH
      ? 'it may be a master key, whose wallet receives elsewhere'
      : 'it may be the receive chain of an account rather than the account';
  const message =
    `This key is at depth ${depth}; an account key is at depth ${ACCOUNT_DEPTH}, so ${what}. ` +
    'Compare its first addresses with those your wallet shows before using it.';
  return [{ code: 'UNUSUAL_DEPTH', message }];
}

function addressTypeWarnings(spec: WalletKeySpec, row: KeyVersion, addressType: AddressType): KeyWarning[] {
  if (CHAIN_ADDRESSING[spec.chain].addressTypes.length === 1) return [];
  const remedy = 'Compare its first addresses with your wallet before using it.';
  // Many wallets export accounts of any type as xpub (or Ltub), so p2pkh is only a guess.
  if (spec.addressType === undefined && addressType === 'p2pkh') {
    const message = `A ${row.prefix} does not say which addresses its wallet uses; p2pkh is assumed. ${remedy}`;
    return [{ code: 'ADDRESS_TYPE_ASSUMED', message }];
  }
  if (row.meaning !== 'p2pkh' && row.meaning !== addressType) {
    const message = `A ${row.prefix} stands for ${row.meaning}, but ${addressType} was chosen. ${remedy}`;
    return [{ code: 'ADDRESS_TYPE_OVERRIDDEN', message }];
  }
  return [];
}

function invalid(message: string): TerminalError {
  return new TerminalError('INVALID_EXTENDED_KEY', message);
}

import { ECDH } from 'node:crypto';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { hex } from '@scure/base';
import type { HDKey } from '@scure/bip32';
import { Address, OutScript } from '@scure/btc-signer';
import type { Chain } from '../../../machines/index.ts';
import { assertNever, TerminalError } from '../../platform/errors.ts';
import { evmAddressOf } from '../../platform/evm-address.ts';
import type { NetworkKind } from '../../platform/network-kind.ts';
import type { AddressType, UtxoNetwork } from '../address-formats.ts';
import { addressNetwork } from '../address-formats.ts';
import { derivePublicChildren } from './derive-public-children.ts';
import type { ExtendedKey } from './extended-key.ts';
import { readExtendedKey } from './extended-key.ts';

/** Everything to store about a wallet to derive its addresses later without guessing. */
export type WalletKey = Pick<ExtendedKey, 'chain' | 'networkKind' | 'addressType' | 'key'>;

export interface DerivedAddress {
  readonly index: number;
  /** As wallets show it: base58, lower-case bech32, or mixed-case EIP-55. */
  readonly address: string;
  /** The key watchers match: the output script in hex, or the lower-case address on EVM chains. */
  readonly watchKey: string;
  /** The output script in hex; null on EVM chains. */
  readonly scriptPubKeyHex: string | null;
  /** Relative to the account key: `0/<index>`, BIP44's external (receive) chain. */
  readonly derivationPath: string;
}

/** Derives one wallet's addresses; the receive chain is computed once. */
export interface Deriver {
  /**
   * The receive address at `index` (0 to 2^31 - 1). Throws a `RangeError` for any other index, and
   * a `TerminalError` `INVALID_CHILD_INDEX` when the index has no valid child key in BIP32
   * (probability 2^-127). Callers continue with the next index, as BIP32 says. This never does so
   * silently, because two indices would share an address.
   */
  addressAt(index: number): DerivedAddress;
  /**
   * The receive addresses at `firstIndex` to `firstIndex + count - 1`, in order, several times
   * faster than one by one. Indices without a valid BIP32 child key are omitted.
   */
  addressesFrom(firstIndex: number, count: number): DerivedAddress[];
}

const RECEIVE_CHAIN = 0;
const MAX_INDEX = 2 ** 31 - 1;

/** Path of a receive address below the account level, such as `0/12`. */
export function derivationPathOf(index: number): string {
  return `${RECEIVE_CHAIN}/${index}`;
}

/** Prepares a wallet for derivation. Throws like `parseExtendedKey` if the key is invalid. */
export function createDeriver(wallet: WalletKey): Deriver {
  const { chain, networkKind, addressType } = wallet;
  const receiveChain = childOf(readExtendedKey(wallet).hdKey, RECEIVE_CHAIN);
  const describe = (index: number, publicKey: Uint8Array): DerivedAddress => {
    const derivationPath = derivationPathOf(index);
    return { index, derivationPath, ...addressOfPublicKey({ chain, networkKind, addressType, publicKey }) };
  };
  return {
    addressAt(index) {
      if (!Number.isInteger(index) || index < 0 || index > MAX_INDEX) {
        throw new RangeError(`address index must be an integer from 0 to ${MAX_INDEX}, got ${index}`);
      }
      return describe(index, publicKeyOf(childOf(receiveChain, index)));
    },
    addressesFrom(firstIndex, count) {
      if (!Number.isInteger(firstIndex) || firstIndex < 0 || firstIndex + count - 1 > MAX_INDEX) {
        throw new RangeError(`address indices must be integers from 0 to ${MAX_INDEX}`);
      }
      const { chainCode } = receiveChain;
      if (chainCode === null) throw new Error('an extended key without a chain code was derived');
      const children = derivePublicChildren({ publicKey: publicKeyOf(receiveChain), chainCode }, firstIndex, count);
      return children.map(({ index, publicKey }) => describe(index, publicKey));
    },
  };
}

/**
 * The child key at exactly this index. For an invalid child the library returns the next valid one,
 * as BIP32 advises; the child's own index reveals that. Throws `INVALID_CHILD_INDEX` in that case.
 */
export function childOf(parent: HDKey, index: number): HDKey {
  const child = parent.deriveChild(index);
  if (child.index !== index) {
    throw new TerminalError(
      'INVALID_CHILD_INDEX',
      `Index ${index} of this wallet has no valid BIP32 key. Use the next index (${index + 1}).`,
    );
  }
  return child;
}

/** The address and watch key of a compressed public key (33 bytes). */
export function addressOfPublicKey(parameters: {
  readonly chain: Chain;
  readonly networkKind: NetworkKind;
  readonly addressType: AddressType;
  readonly publicKey: Uint8Array;
}): Pick<DerivedAddress, 'address' | 'watchKey' | 'scriptPubKeyHex'> {
  const network = addressNetwork(parameters.chain, parameters.networkKind);
  if (network.family === 'evm') {
    const address = evmAddress(parameters.publicKey);
    return { address, watchKey: address.toLowerCase(), scriptPubKeyHex: null };
  }
  const output = outputOf(parameters.addressType, hash160(parameters.publicKey));
  const scriptPubKeyHex = hex.encode(OutScript.encode(output));
  return { address: addressOf(network, output), watchKey: scriptPubKeyHex, scriptPubKeyHex };
}

/** An output in the terms of @scure/btc-signer. */
type KeyHashOutput =
  | { readonly type: 'pkh'; readonly hash: Uint8Array }
  | { readonly type: 'sh'; readonly hash: Uint8Array }
  | { readonly type: 'wpkh'; readonly hash: Uint8Array };

function outputOf(addressType: AddressType, publicKeyHash: Uint8Array): KeyHashOutput {
  switch (addressType) {
    case 'p2pkh':
      return { type: 'pkh', hash: publicKeyHash };
    case 'p2wpkh':
      return { type: 'wpkh', hash: publicKeyHash };
    case 'p2sh-p2wpkh':
      // BIP49: the redeem script is the segwit output script.
      return { type: 'sh', hash: hash160(OutScript.encode({ type: 'wpkh', hash: publicKeyHash })) };
    case 'evm':
      throw new Error('an EVM address has no output script');
    default:
      return assertNever(addressType, 'address type');
  }
}

/** Base58check (P2PKH, P2SH), or bech32 (BIP173). */
function addressOf({ p2pkhVersion, p2shVersions, bech32Prefix }: UtxoNetwork, output: KeyHashOutput): string {
  if (bech32Prefix === null && output.type === 'wpkh') throw new Error('this chain has no segwit addresses');
  // Private keys are never written, so their version byte is not used.
  const versions = { pubKeyHash: p2pkhVersion, scriptHash: p2shVersions[0], wif: 0 };
  return Address({ ...versions, bech32: bech32Prefix ?? '' }).encode(output);
}

/** The EIP-55 address. Ethereum hashes the uncompressed public key, so decompress it first. */
function evmAddress(publicKey: Uint8Array): string {
  const uncompressed = ECDH.convertKey(publicKey, 'secp256k1', undefined, 'hex', 'uncompressed');
  return evmAddressOf(hex.decode(uncompressed.toString()).subarray(1));
}

function publicKeyOf(key: HDKey): Uint8Array {
  if (key.publicKey === null) throw new Error('an extended key without a public key was derived');
  return key.publicKey;
}

function hash160(data: Uint8Array): Uint8Array {
  return ripemd160(sha256(data));
}

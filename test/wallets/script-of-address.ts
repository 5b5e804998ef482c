import { bech32, bech32m, hex } from '@scure/base';
import type { UtxoNetwork } from '../../src/wallets/address-formats.ts';
import { decodeBase58check } from '../../src/wallets/keys/base58check.ts';

/**
 * From UTXO addresses to output scripts (lower-case hex), written apart from the product, which
 * only goes the other way: base58check, and segwit by BIP173 and BIP350.
 */

const HASH160_BYTES = 20;
const MAX_SEGWIT_VERSION = 16;
const SEGWIT_V0_PROGRAM_BYTES = [20, 32];
const MIN_PROGRAM_BYTES = 2;
const MAX_PROGRAM_BYTES = 40;

/** The output script of a 20-byte public key hash. */
export function p2pkhScript(publicKeyHash: Uint8Array): string {
  return `76a914${hex.encode(publicKeyHash)}88ac`;
}

/** The output script of a 20-byte script hash (BIP16). */
export function p2shScript(scriptHash: Uint8Array): string {
  return `a914${hex.encode(scriptHash)}87`;
}

/** The output script of a 20-byte public key hash in segwit version 0 (BIP141). */
export function p2wpkhScript(publicKeyHash: Uint8Array): string {
  return `0014${hex.encode(publicKeyHash)}`;
}

/** The output script (hex) of an address, or null when it is not an address of this network. */
export function scriptOfAddress(network: UtxoNetwork, address: string): string | null {
  const payload = decodeBase58check(address);
  if (payload !== null) return base58Script(network, payload);
  return network.bech32Prefix === null ? null : segwitScript(network.bech32Prefix, address);
}

// Helpers

function base58Script(network: UtxoNetwork, payload: Uint8Array): string | null {
  const version = payload[0];
  if (version === undefined || payload.length !== 1 + HASH160_BYTES) return null;
  const hash = payload.subarray(1);
  if (version === network.p2pkhVersion) return p2pkhScript(hash);
  return network.p2shVersions.includes(version) ? p2shScript(hash) : null;
}

function segwitScript(prefix: string, address: string): string | null {
  for (const coder of [bech32, bech32m]) {
    const decoded = coder.decodeUnsafe(address);
    const version = decoded?.words[0];
    if (decoded === undefined || version === undefined || decoded.prefix !== prefix) continue;
    if ((version === 0) !== (coder === bech32)) return null;
    const program = coder.fromWordsUnsafe(decoded.words.slice(1));
    if (!(program instanceof Uint8Array) || !isSegwitProgram(version, program)) return null;
    const opcode = version === 0 ? 0 : 0x50 + version;
    return hex.encode(Uint8Array.from([opcode, program.length, ...program]));
  }
  return null;
}

function isSegwitProgram(version: number, program: Uint8Array): boolean {
  if (version > MAX_SEGWIT_VERSION) return false;
  if (version === 0) return SEGWIT_V0_PROGRAM_BYTES.includes(program.length);
  return program.length >= MIN_PROGRAM_BYTES && program.length <= MAX_PROGRAM_BYTES;
}

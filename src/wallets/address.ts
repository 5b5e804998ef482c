import { bech32, bech32m, hex } from '@scure/base';
import { decodeBase58check, encodeBase58check } from './base58check.ts';
import type { UtxoNetwork } from './networks.ts';

/**
 * Converts between UTXO addresses and output scripts: base58check (P2PKH, P2SH) and segwit (BIP173
 * for version 0, BIP350 for versions 1 to 16). Scripts are lower-case hex, as watchers match them.
 */

const HASH160_BYTES = 20;
const MAX_SEGWIT_VERSION = 16;
const SEGWIT_V0_PROGRAM_BYTES = [20, 32];
const MIN_PROGRAM_BYTES = 2;
const MAX_PROGRAM_BYTES = 40;
const P2PKH_SCRIPT = /^76a914([0-9a-f]{40})88ac$/;
const P2SH_SCRIPT = /^a914([0-9a-f]{40})87$/;
const SEGWIT_SCRIPT = /^(00|5[1-9a-f]|60)([0-9a-f]{2})([0-9a-f]{4,80})$/;

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

/** The address of an output script (hex), or null when the script has none on this network. */
export function addressOfScript(network: UtxoNetwork, scriptHex: string): string | null {
  const p2pkh = P2PKH_SCRIPT.exec(scriptHex)?.[1];
  if (p2pkh !== undefined) return base58Address(network.p2pkhVersion, hex.decode(p2pkh));
  const p2sh = P2SH_SCRIPT.exec(scriptHex)?.[1];
  if (p2sh !== undefined) return base58Address(network.p2shVersions[0], hex.decode(p2sh));
  return network.bech32Prefix === null ? null : segwitAddress(network.bech32Prefix, scriptHex);
}

/** The output script (hex) of an address, or null when it is not an address of this network. */
export function scriptOfAddress(network: UtxoNetwork, address: string): string | null {
  const payload = decodeBase58check(address);
  if (payload !== null) return base58Script(network, payload);
  return network.bech32Prefix === null ? null : segwitScript(network.bech32Prefix, address);
}

function base58Address(version: number, hash: Uint8Array): string {
  const payload = new Uint8Array(1 + HASH160_BYTES);
  payload[0] = version;
  payload.set(hash, 1);
  return encodeBase58check(payload);
}

function base58Script(network: UtxoNetwork, payload: Uint8Array): string | null {
  const version = payload[0];
  if (version === undefined || payload.length !== 1 + HASH160_BYTES) return null;
  const hash = payload.subarray(1);
  if (version === network.p2pkhVersion) return p2pkhScript(hash);
  return network.p2shVersions.includes(version) ? p2shScript(hash) : null;
}

function segwitAddress(prefix: string, scriptHex: string): string | null {
  const [, opcode = '', length = '', programHex = ''] = SEGWIT_SCRIPT.exec(scriptHex) ?? [];
  const program = hex.decode(programHex);
  if (opcode === '' || program.length !== Number.parseInt(length, 16)) return null;
  const version = opcode === '00' ? 0 : Number.parseInt(opcode, 16) - 0x50;
  if (!isSegwitProgram(version, program)) return null;
  const coder = version === 0 ? bech32 : bech32m;
  return coder.encode(prefix, [version, ...coder.toWords(program)]);
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

import { bech32, bech32m, hex } from '@scure/base';
import type { UtxoNetwork } from './address-formats.ts';
import { encodeBase58check } from './keys/base58check.ts';

/**
 * Addresses of the output scripts in a block: base58check (P2PKH, P2SH) and segwit (BIP173 for
 * version 0, BIP350 for versions 1 to 16, of which @scure/btc-signer knows only taproot). That
 * library creates the addresses of wallets (`derive.ts`).
 */

const HASH160_BYTES = 20;
const MAX_SEGWIT_VERSION = 16;
const SEGWIT_V0_PROGRAM_BYTES = [20, 32];
const MIN_PROGRAM_BYTES = 2;
const MAX_PROGRAM_BYTES = 40;
const P2PKH_SCRIPT = /^76a914([0-9a-f]{40})88ac$/;
const P2SH_SCRIPT = /^a914([0-9a-f]{40})87$/;
const SEGWIT_SCRIPT = /^(00|5[1-9a-f]|60)([0-9a-f]{2})([0-9a-f]{4,80})$/;

/** The address of an output script (hex), or null when the script has none on this network. */
export function addressOfScript(network: UtxoNetwork, scriptHex: string): string | null {
  const p2pkh = P2PKH_SCRIPT.exec(scriptHex)?.[1];
  if (p2pkh !== undefined) return base58Address(network.p2pkhVersion, hex.decode(p2pkh));
  const p2sh = P2SH_SCRIPT.exec(scriptHex)?.[1];
  if (p2sh !== undefined) return base58Address(network.p2shVersions[0], hex.decode(p2sh));
  return network.bech32Prefix === null ? null : segwitAddress(network.bech32Prefix, scriptHex);
}

// Helpers

function base58Address(version: number, hash: Uint8Array): string {
  const payload = new Uint8Array(1 + HASH160_BYTES);
  payload[0] = version;
  payload.set(hash, 1);
  return encodeBase58check(payload);
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

function isSegwitProgram(version: number, program: Uint8Array): boolean {
  if (version > MAX_SEGWIT_VERSION) return false;
  if (version === 0) return SEGWIT_V0_PROGRAM_BYTES.includes(program.length);
  return program.length >= MIN_PROGRAM_BYTES && program.length <= MAX_PROGRAM_BYTES;
}

import { keccak_256 } from '@noble/hashes/sha3.js';

/**
 * Addresses of EVM chains: `0x` and 40 hexadecimal digits, whose letters carry a checksum when
 * upper and lower case are mixed (EIP-55). Implemented here because loading a full Ethereum library
 * takes longer than most commands run.
 */

const SHAPE = /^0x[0-9a-fA-F]{40}$/;
const ADDRESS_BYTES = 20;
/**
 * A letter is upper case where the nibble of the hash of the lower-case digits is at least this.
 */
const UPPER_FROM = 8;

/** True when the text has the form of an address; the checksum is not verified. */
export function hasEvmAddressForm(text: string): boolean {
  return SHAPE.test(text);
}

/** True when the text is an address in lower case or with a valid EIP-55 checksum. */
export function isEvmAddress(text: string): boolean {
  if (!hasEvmAddressForm(text)) return false;
  return text === text.toLowerCase() || text === withChecksum(text.slice(2).toLowerCase());
}

/** The EIP-55 form of an address in any case. */
export function toChecksumAddress(address: string): string {
  return withChecksum(address.slice(2).toLowerCase());
}

/**
 * Returns the EIP-55 address of an uncompressed public key: x and y, 64 bytes without the leading
 * 0x04.
 */
export function evmAddressOf(point: Uint8Array): string {
  return withChecksum(Buffer.from(keccak_256(point).slice(-ADDRESS_BYTES)).toString('hex'));
}

// Helpers

function withChecksum(lowerCaseDigits: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(lowerCaseDigits, 'ascii'))).toString('hex');
  const isUpper = (index: number) => Number.parseInt(hash.charAt(index), 16) >= UPPER_FROM;
  const digits = lowerCaseDigits.replace(/[a-f]/g, (letter, index: number) =>
    isUpper(index) ? letter.toUpperCase() : letter,
  );
  return `0x${digits}`;
}

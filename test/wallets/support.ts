import { pbkdf2Sync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Chain } from '../../machines/index.ts';
import { CHAINS } from '../../machines/index.ts';
import { TerminalError } from '../../src/platform/errors.ts';
import type { AddressType } from '../../src/wallets/address-formats.ts';
import { ADDRESS_TYPES } from '../../src/wallets/address-formats.ts';
import type { KeyVersion } from '../../src/wallets/keys/key-versions.ts';
import { KEY_VERSIONS } from '../../src/wallets/keys/key-versions.ts';

/** Reads a published vector file; the caller names the shape it relies on. */
export function loadVectors<T>(name: string): T {
  const parsed: T = JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8'));
  return parsed;
}

const CHAIN_OF_COIN: Record<string, Chain> = {
  BTC: 'bitcoin',
  LTC: 'litecoin',
  DOGE: 'dogecoin',
  DASH: 'dash',
  ETH: 'ethereum',
};

export function chainOfCoin(coin: string): Chain {
  const chain = CHAIN_OF_COIN[coin];
  if (chain === undefined) throw new Error(`the vectors name an unknown coin: ${coin}`);
  return chain;
}

export function addressTypeOf(scriptType: string): AddressType {
  const name = scriptType === 'eth' ? 'evm' : scriptType;
  const found = ADDRESS_TYPES.find((type) => type === name);
  if (found === undefined) throw new Error(`the vectors name an unknown script type: ${scriptType}`);
  return found;
}

/** The BIP39 seed of a mnemonic without passphrase. */
export function seedOfMnemonic(mnemonic: string): Uint8Array {
  return new Uint8Array(pbkdf2Sync(mnemonic, 'mnemonic', 2048, 64, 'sha512'));
}

export const base58check = createBase58check(sha256);

/** The same extended key under other version bytes. */
export function withVersion(key: string, version: number): string {
  const payload = base58check.decode(key);
  new DataView(payload.buffer, payload.byteOffset).setUint32(0, version);
  return base58check.encode(payload);
}

export function versionRow(prefix: string): KeyVersion {
  const row = KEY_VERSIONS.find((candidate) => candidate.prefix === prefix);
  if (row === undefined) throw new Error(`no such version: ${prefix}`);
  return row;
}

/** The error that `action` throws; fails the test when it is not a terminal one. */
export function terminalErrorOf(action: () => unknown): TerminalError {
  try {
    action();
  } catch (error) {
    if (error instanceof TerminalError) return error;
    throw error;
  }
  throw new Error('expected a TerminalError, but nothing was thrown');
}

/** Length of a substring that would reveal a secret. */
const TELLING_CHARACTERS = 8;

/** Checks that no message, stack, cause or other field of the error quotes the text. */
export function expectNothingQuoted(error: TerminalError, text: string): void {
  const reported = `${error.message}\n${error.stack}\n${String(error.cause)}\n${JSON.stringify(error)}`;
  for (let start = 0; start + TELLING_CHARACTERS <= text.length; start += 1) {
    expect(reported).not.toContain(text.slice(start, start + TELLING_CHARACTERS));
  }
}

export const anySeed = fc.uint8Array({ minLength: 32, maxLength: 32 });
export const anyChain = fc.constantFrom(...CHAINS);
export const anyIndex = fc.integer({ min: 0, max: 2 ** 31 - 1 });

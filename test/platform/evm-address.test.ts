import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { checksumAddress, isAddress, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { evmAddressOf, hasEvmAddressForm, isEvmAddress } from '../../src/platform/evm-address.ts';
import { assertProperty } from '../support/run/fast-check.ts';

const digits = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => toHex(bytes));

/** An address with the case of some letters changed. */
const recased = fc.tuple(digits, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 })).map(([address, upper]) => {
  const digits = checksumAddress(address).slice(2);
  return `0x${digits.replace(/[a-f]/g, (letter, index: number) => (upper[index] ? letter.toUpperCase() : letter))}`;
});

describe('an EVM address', () => {
  test('is accepted in lower case and with its EIP-55 checksum', () => {
    assertProperty(fc.property(digits, (address) => isEvmAddress(address) && isEvmAddress(checksumAddress(address))));
  });

  test('is accepted exactly when another implementation accepts it', () => {
    assertProperty(
      fc.property(fc.oneof(recased, digits, fc.stringMatching(/^0?x?[0-9a-fA-F]{39,41}$/)), (text) => {
        expect(isEvmAddress(text)).toBe(isAddress(text));
        expect(hasEvmAddressForm(text)).toBe(isAddress(text, { strict: false }));
      }),
    );
  });

  test.each([
    // EIP-55, section "Test Cases".
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('%s of the published list is accepted, and rejected once one letter changes case', (address) => {
    expect(isEvmAddress(address)).toBe(true);
    const changed = address.replace(/[a-f](?=\d*$)/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    expect(changed).not.toBe(address);
    expect(isEvmAddress(changed)).toBe(false);
  });

  test('is derived from the public key', () => {
    for (let round = 0; round < 20; round += 1) {
      const account = privateKeyToAccount(toHex(randomBytes(32)));
      const point = Buffer.from(account.publicKey.slice(4), 'hex');
      expect(evmAddressOf(point)).toBe(account.address);
    }
  });
});

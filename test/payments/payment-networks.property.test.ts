import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHAINS, CRYPTO_SYMBOLS, type Mode } from '../../machines/index.ts';
import { createPaymentNetworks } from '../../src/payments/index.ts';
import { NETWORK_KINDS } from '../../src/wallets/index.ts';
import { assertProperty } from '../support/run/fast-check.ts';

/** Any network kind for any of the chains. */
const kinds = fc.dictionary(fc.constantFrom(...CHAINS), fc.constantFrom(...NETWORK_KINDS));

describe('the networks of live and test keys', () => {
  it('never overlap, and test keys never use a main network: an overlap is rejected', () => {
    assertProperty(
      fc.property(kinds, kinds, (live, test) => {
        const isApart = CHAINS.every((chain) => test[chain] !== 'mainnet' && (test[chain] ?? '') !== live[chain]);
        const create = () => createPaymentNetworks({ live: withTokens(live), test: withTokens(test) });
        if (!isApart) {
          expect(create).toThrow(/must not (use the main network|share)/);
          return;
        }
        const networks = create();
        const networkOf = (mode: Mode) =>
          new Set(CRYPTO_SYMBOLS.flatMap((crypto) => tried(() => networks.networkOf(mode, crypto))));
        const ofTest = networkOf('test');
        expect([...ofTest].filter((network) => network.endsWith('-mainnet'))).toEqual([]);
        expect([...networkOf('live')].filter((network) => ofTest.has(network))).toEqual([]);
      }),
    );
  });
});

// Helpers

const CONTRACT = '0xdAC17F958D2ee523a2206206994597C13D831ec7';

function withTokens(of: Parameters<typeof createPaymentNetworks>[0]['live']['kinds']) {
  return { kinds: of, contracts: Object.fromEntries(CRYPTO_SYMBOLS.map((symbol) => [symbol, CONTRACT])) };
}

function tried(networkOf: () => string): string[] {
  try {
    return [networkOf()];
  } catch {
    return [];
  }
}

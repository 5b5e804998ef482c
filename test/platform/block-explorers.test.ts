import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explorerOf } from '../../src/platform/block-explorers.ts';
import { assertProperty } from '../support/run/fast-check.ts';

const TXID = 'ab'.repeat(32);

describe('explorer links', () => {
  test('exist for public networks only', () => {
    expect(explorerOf('bitcoin-mainnet', TXID)).toEqual({
      name: 'mempool.space',
      url: `https://mempool.space/tx/${TXID}`,
    });
    expect(explorerOf('bitcoin-testnet', TXID)?.url).toBe(`https://mempool.space/testnet4/tx/${TXID}`);
    expect(explorerOf('ethereum-testnet', `0x${TXID}`)?.url).toBe(`https://sepolia.etherscan.io/tx/0x${TXID}`);
    for (const network of ['bitcoin-regtest', 'simulated-bitcoin', 'dogecoin-testnet', '__proto__', '']) {
      expect(explorerOf(network, TXID)).toBeNull();
    }
  });

  test('are built from transaction ids only', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('../x', 'javascript:alert(1)', `${TXID}/..`, `${TXID}\n`, ` ${TXID}`),
    );
    assertProperty(
      fc.property(text, (txid) => {
        const explorer = explorerOf('bitcoin-mainnet', txid);
        expect(explorer === null || /^(?:0x)?[0-9a-f]{64}$/i.test(txid)).toBe(true);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ASSETS, CRYPTO_SYMBOLS } from '../../machines/index.ts';
import { createPaymentNetworks } from '../../src/payments/index.ts';
import { payableUri } from '../../src/payments/view/payable-uri.ts';
import { toChecksumAddress } from '../../src/platform/evm-address.ts';
import { parseTransferUri } from '../support/nodes/parse-transfer-uri.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';

const TOKENS = CRYPTO_SYMBOLS.filter((symbol) => ASSETS[symbol].type === 'token');
const UINT256_MAX = 2n ** 256n - 1n;

const token = fc.constantFrom(...TOKENS);
const address = fc.stringMatching(/^0x[0-9a-f]{40}$/).map(toChecksumAddress);
const baseUnits = fc.bigInt({ min: 1n, max: UINT256_MAX });
/** A contract for each of some tokens. */
const contracts = fc.dictionary(token, address);
const CHAIN_IDS = { 'ethereum-mainnet': 1, 'ethereum-testnet': 11_155_111 } as const;
const network = fc.constantFrom(...(Object.keys(CHAIN_IDS) as (keyof typeof CHAIN_IDS)[]));

describe('the payment link of a token', () => {
  test('has the contract of its own network, chain, address and amount, or is absent', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(
        fc.record({ live: contracts, test: contracts }),
        fc.record({ crypto: token, network, address, baseUnits }),
        async ({ live, test }, amount) => {
          const networks = createPaymentNetworks({
            live: { kinds: { ethereum: 'mainnet' }, contracts: live },
            test: { kinds: { ethereum: 'testnet' }, contracts: test },
          });
          const uri = await payableUri({ networks, overview: { isPayable: async () => true } }, amount);
          const contract = (amount.network === 'ethereum-mainnet' ? live : test)[amount.crypto];
          if (contract === undefined) {
            expect(uri).toBeNull();
            return;
          }
          const { address, baseUnits } = amount;
          expect(parseTransferUri(uri ?? '')).toEqual({
            contract,
            chainId: CHAIN_IDS[amount.network],
            address,
            baseUnits,
          });
        },
      ),
    );
  });

  const contract = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
  const networks = createPaymentNetworks({
    live: { kinds: { ethereum: 'mainnet' }, contracts: { USDT: contract } },
    test: 'simulated',
  });
  const usdt = { crypto: 'USDT', network: 'ethereum-mainnet', address: contract, baseUnits: 5n } as const;

  test.each([
    ['nothing is due', { ...usdt, baseUnits: 0n }, true],
    ['more than is due was paid', { ...usdt, baseUnits: -5n }, true],
    ['the payment is simulated', { ...usdt, network: 'simulated-ethereum' }, true],
    ['its network has no node any more', { ...usdt, network: 'ethereum-testnet' }, true],
    ['its contract is not the right one', usdt, false],
  ])('is omitted when %s', async (_reason, amount, isPayable) => {
    expect(await payableUri({ networks, overview: { isPayable: async () => isPayable } }, amount)).toBeNull();
  });

  test('of ether needs no contract', async () => {
    const overview = { isPayable: async () => true };
    const link = await payableUri({ networks, overview }, { ...usdt, crypto: 'ETH' });
    expect(link).toBe(`ethereum:${contract}@1?value=5`);
  });
});

import { encodeFunctionResult, multicall3Abi } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { CryptoSymbol } from '../../../../machines/index.ts';
import type { TokenTable } from '../../../../src/chains/evm/built-in-tokens.ts';
import { ACCOUNTS_PER_CALL, UnreadableBalanceError } from '../../../../src/chains/evm/node/balances.ts';
import { type DeployedToken, deployContract, deployToken } from '../../../support/contracts/deploy.ts';
import { type Anvil, MULTICALL3_ADDRESS, startAnvil } from '../../../support/nodes/anvil.ts';
import { describeWith } from '../../../support/run/components.ts';
import { type FakeRpc, rejecting, relaying, startFakeRpc } from './fake-rpc.ts';
import { cursorAt, makeNode, type NodeUnderTest } from './make-node.ts';

const describeWithAnvil = describeWith('anvil');
const SHOP = '0x00000000000000000000000000000000000000aa';
const OTHER = '0x00000000000000000000000000000000000000bb';
const NOBODY = '0x00000000000000000000000000000000000000cc';

describe.each([
  ['with Multicall3', true],
  ['without Multicall3', false],
])('balances at a node %s', (_, multicall3) => {
  describeWithAnvil('', () => {
    let anvil: Anvil;
    let fake: FakeRpc;
    let token: DeployedToken;
    let tokens: TokenTable;
    let broken: string;
    let under: NodeUnderTest;

    beforeAll(async () => {
      anvil = await startAnvil({ multicall3 });
      fake = await startFakeRpc();
      token = await deployToken(anvil, { kind: 'SeizableToken', decimals: 6 });
      broken = (await deployContract(anvil, 'BrokenToken')).address;
      tokens = [
        { symbol: 'USDC', contract: token.address, decimals: 6 },
        { symbol: 'MKR', contract: broken, decimals: 18 },
        { symbol: 'UNI', contract: NOBODY, decimals: 18 },
      ];
      under = makeNode([fake.url], { tokens });
    });

    afterEach(() => {
      fake.handle = relaying(anvil.url, () => null);
    });

    afterAll(async () => {
      await under?.node.close();
      await fake?.stop();
      await anvil?.stop();
    });

    const account = (watchKey: string, asset: CryptoSymbol) => ({ watchKey, asset });
    const tip = async () => cursorAt(under.node, await anvil.height());

    test('are those of the requested block, coin and token, in the order of the accounts', async () => {
      fake.handle = relaying(anvil.url, () => null);
      await anvil.send({ to: SHOP, valueWei: 3n });
      await token.transfer(SHOP, 50n);
      const then = await tip();
      await anvil.send({ to: SHOP, valueWei: 4n });
      await token.send('burnFrom', [SHOP, 15n]);
      await token.send('seizeSilently', [SHOP, 5n]);
      const now = await tip();
      const accounts = [account(SHOP, 'USDC'), account(SHOP, 'ETH'), account(OTHER, 'USDC'), account(OTHER, 'ETH')];
      expect(await under.node.balances(accounts, then)).toEqual([50n, 3n, 0n, 0n]);
      expect(await under.node.balances(accounts, now)).toEqual([30n, 7n, 0n, 0n]);
      expect(await under.node.balances([], now)).toEqual([]);
    });

    test('of more accounts than fit one call stay in order', async () => {
      const first = 0xdd_0000;
      const accounts = Array.from({ length: ACCOUNTS_PER_CALL + 30 }, (_, index) =>
        account(`0x${(first + index).toString(16).padStart(40, '0')}`, index % 2 === 0 ? 'ETH' : 'USDC'),
      );
      const paid = [0, 1, 299, ACCOUNTS_PER_CALL - 2, ACCOUNTS_PER_CALL, ACCOUNTS_PER_CALL + 29];
      for (const index of paid) {
        const to = accounts[index];
        if (to?.asset === 'ETH') await anvil.send({ to: to.watchKey, valueWei: BigInt(index + 1) });
        if (to?.asset === 'USDC') await token.transfer(to.watchKey, BigInt(index + 1));
      }
      const expected = accounts.map((__, index) => (paid.includes(index) ? BigInt(index + 1) : 0n));
      const before = fake.count('eth_call') + fake.count('eth_getBalance');
      expect(await under.node.balances(accounts, await tip())).toEqual(expected);
      // One call per part; without the contract, one call that detects this and then one per
      // account.
      const calls = multicall3 ? 2 : 1 + accounts.length;
      expect(fake.count('eth_call') + fake.count('eth_getBalance') - before).toBe(calls);
    });

    test.each<[string, CryptoSymbol, string]>([
      ['a token that fails', 'MKR', 'out of order'],
      ['an address without a contract', 'UNI', 'there is no contract'],
      ['a token that is not in the table', 'DAI', 'none is configured'],
    ])(
      'of %s are an error that names the asset; the other balances are returned without it',
      async (_case, asset, reason) => {
        const block = await tip();
        const good = [account(SHOP, 'ETH'), account(SHOP, 'USDC')];
        const error = await under.node
          .balances([...good, account(SHOP, asset)], block)
          .catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(UnreadableBalanceError);
        expect(error).toMatchObject({ name: 'RetryableError', code: 'TOKEN_BALANCE_UNREADABLE', asset });
        expect(String(error)).toContain(SHOP);
        expect(String(error)).toContain(reason);
        expect(await under.node.balances(good, block)).toEqual([7n, 30n]);
      },
    );

    test('of a contract that fails do not disable the endpoint', async () => {
      const second = makeNode([fake.url, anvil.url], { tokens });
      await second.node.heads();
      await second.node.balances([account(SHOP, 'MKR')], await tip()).catch(() => null);
      await second.node.heads();
      expect(second.node.status()).toMatchObject({ endpoint: fake.url, failovers: 0 });
      await second.node.close();
    });

    test('that cost too much gas for one call are requested in halves', async () => {
      let largest = 0;
      fake.handle = relaying(anvil.url, ({ method, params: [call] }) => {
        const { to, data } = Object(call);
        if (method !== 'eth_call' || to !== MULTICALL3_ADDRESS) return null;
        largest = Math.max(largest, data.length);
        return data.length > 1_000 ? rejecting(-32_000, 'out of gas') : null;
      });
      const accounts = [OTHER, SHOP, OTHER, SHOP, OTHER, OTHER, SHOP].map((watchKey) => account(watchKey, 'ETH'));
      expect(await under.node.balances(accounts, await tip())).toEqual([0n, 7n, 0n, 7n, 0n, 0n, 7n]);
      expect(largest).toBeGreaterThan(1_000);
    });

    test('that failed in a batch are requested again, one call per account', async () => {
      const starved = { success: false, returnData: '0x' } as const;
      const fed = { success: true, returnData: `0x${'0'.repeat(63)}9` } as const;
      fake.handle = relaying(anvil.url, ({ method, params: [call] }) =>
        method === 'eth_call' && Object(call).to === MULTICALL3_ADDRESS
          ? {
              result: encodeFunctionResult({
                abi: multicall3Abi,
                functionName: 'aggregate3',
                result: [starved, fed, starved, starved],
              }),
            }
          : null,
      );
      const accounts = [account(SHOP, 'ETH'), account(OTHER, 'ETH'), account(SHOP, 'USDC'), account(OTHER, 'USDC')];
      expect(await under.node.balances(accounts, await tip())).toEqual([7n, 9n, 30n, 0n]);
    });

    test('of a block that the node lacks, or has reorged out, are an error and not a balance', async () => {
      const height = await anvil.height();
      const above = await cursorAt(under.node, height + 5);
      const undone = await tip();
      await anvil.reorg(1);
      for (const block of [above, undone]) {
        const error = await under.node.balances([account(SHOP, 'ETH')], block).catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ name: 'RetryableError', code: 'BLOCK_LEFT_CHAIN' });
        expect(String(error)).toContain(`block ${block.height} (${block.blockHash})`);
      }
      expect(under.node.status()).toMatchObject({ failovers: 0 });
    });

    test.each([
      ['geth', -32_000, 'hash is not currently canonical'],
      ['Besu', -32_000, 'Invalid input'],
      ['Erigon', -32_000, 'block 0xabab not found'],
      ['anvil', -32_001, 'Resource not found'],
    ])('of a block that is not in the chain of %s are an error, whatever it returns', async (_name, code, message) => {
      fake.handle = relaying(anvil.url, ({ method }) =>
        method === 'eth_call' || method === 'eth_getBalance' ? rejecting(code, message) : null,
      );
      const undone = { height: 5, blockHash: `0x${'cd'.repeat(32)}` };
      await expect(under.node.balances([account(SHOP, 'ETH')], undone)).rejects.toMatchObject({
        code: 'BLOCK_LEFT_CHAIN',
      });
    });

    test.each([
      ['geth', -32_000, 'header for hash not found'],
      ['anvil', -32_001, 'Resource not found'],
      ['Nethermind', -32_001, '0xabab could not be found'],
      ['Besu', -32_000, 'Block not found'],
    ])('are retried when a lagging machine of %s does not know the block', async (_name, code, message) => {
      let rejections = 2;
      fake.handle = relaying(anvil.url, ({ method }) => {
        if (method !== 'eth_call' && method !== 'eth_getBalance') return null;
        rejections -= 1;
        return rejections >= 0 ? rejecting(code, message) : null;
      });
      expect(await under.node.balances([account(SHOP, 'ETH')], await cursorAt(under.node, 5))).toEqual([
        expect.any(BigInt),
      ]);
    });

    test('are not returned while the node does not report its block', async () => {
      fake.handle = relaying(anvil.url, ({ method, params: [first] }) => {
        if (method === 'eth_call' || method === 'eth_getBalance') return rejecting(-32_000, 'header not found');
        return method === 'eth_getBlockByNumber' && first === '0x5' ? rejecting(-32_603, 'internal error') : null;
      });
      const unsure = { height: 5, blockHash: `0x${'cd'.repeat(32)}` };
      await expect(under.node.balances([account(SHOP, 'ETH')], unsure)).rejects.toThrow('internal error');
    });

    test('of a block whose state the node has pruned are null', async () => {
      fake.handle = relaying(anvil.url, ({ method, params: [first] }) => {
        if (method === 'eth_call' || method === 'eth_getBalance') return rejecting(-32_000, 'header not found');
        return method === 'eth_getBlockByNumber' && first === '0x5' ? { result: null } : null;
      });
      const dropped = { height: 5, blockHash: `0x${'cd'.repeat(32)}` };
      expect(await under.node.balances([account(SHOP, 'ETH')], dropped)).toBeNull();
    });

    test.each([
      ['geth', -32_000, 'missing trie node 6c93ab (path ) state 0x6c93 is not available, not found'],
      ['geth with paths', -32_000, 'historical state 0x6c93 is not available'],
      ['geth, block unknown', -32_000, 'header not found'],
      ['Nethermind', -32_002, 'No state available for block 0x6c93'],
      ['Erigon', -32_000, 'state at block 5 is pruned'],
      ['Besu', -32_000, 'World state unavailable'],
      ['Reth', -32_000, 'distance to target block exceeds maximum proof window'],
      ['a provider', -32_000, 'archive requests need another plan'],
    ])('that %s no longer has are null', async (_name, code, message) => {
      fake.handle = relaying(anvil.url, ({ method }) =>
        method === 'eth_call' || method === 'eth_getBalance' ? rejecting(code, message) : null,
      );
      expect(
        await under.node.balances([account(SHOP, 'ETH'), account(SHOP, 'USDC')], await cursorAt(under.node, 5)),
      ).toBeNull();
    });
  });
});

describeWithAnvil('balances at a node without archive state', () => {
  test('are null for blocks whose state it has pruned', async () => {
    const anvil = await startAnvil({ prunesHistory: true });
    const { node } = makeNode([anvil.url]);
    try {
      await anvil.send({ to: SHOP, valueWei: 5n });
      await anvil.mine(300);
      const accounts = [{ watchKey: SHOP, asset: 'ETH' as const }];
      expect(await node.balances(accounts, await cursorAt(node, await anvil.height()))).toEqual([5n]);
      expect(await node.balances(accounts, await cursorAt(node, 1))).toBeNull();
    } finally {
      await node.close();
      await anvil.stop();
    }
  });
});

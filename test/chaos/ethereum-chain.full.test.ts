import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeployedToken, deployToken } from '../support/contracts/deploy.ts';
import { type Anvil, startAnvil } from '../support/nodes/anvil.ts';
import { describeWith } from '../support/run/components.ts';
import { createRandom } from './random.ts';
import { createEthereumChain, type EthereumChain } from './workload/ethereum-chain.ts';

/**
 * Reorganisations of the Ethereum chain do move logs, and its record of payments follows the chain.
 */
describeWith('anvil')('the Ethereum chain of a chaos run', () => {
  let anvil: Anvil;
  let token: DeployedToken;
  let ethereum: EthereumChain;
  let now = Date.now();

  beforeAll(async () => {
    anvil = await startAnvil();
    token = await deployToken(anvil, { decimals: 8 });
    ethereum = await createEthereumChain({ anvil, token, clock: { now: () => now }, random: createRandom(1) });
  });
  afterAll(() => anvil?.stop());

  test.each([
    ['at once', true],
    ['block by block', false],
  ])(
    'a token log gets another index when its block is reorged out %s, and the payment is kept',
    async (_, isAtOnce) => {
      const address = addressOf(isAtOnce ? 1 : 2);
      await ethereum.settle();
      await ethereum.pay([{ crypto: 'WBTC', address, units: 5n, isInternal: false }], 1);
      const [paid] = (await ethereum.finalCoins()).get(address) ?? [];
      const before = await logOf(address);
      now += 60_000;
      await ethereum.reorganise({ depth: 1, isAtOnce });
      const after = await logOf(address);
      expect(after.transactionHash).toBe(before.transactionHash);
      expect([before.logIndex, after.logIndex]).toEqual(['0x0', '0x1']);
      expect((await ethereum.finalCoins()).get(address)).toEqual([paid]);
      expect(paid?.litoshi).toBe(5n);
    },
  );

  test('coins of a reorged block are lost if their sender reused the nonce, and come back if a contract sent them', async () => {
    await ethereum.settle();
    const [lost, kept] = [addressOf(3), addressOf(4)];
    const txid = await ethereum.payRevocably({ crypto: 'WBTC', address: lost, units: 7n, isInternal: false });
    await ethereum.pay([{ crypto: 'ETH', address: kept, units: 9n, isInternal: true }], 1);
    await ethereum.reorganise({ depth: 2, lost: [txid], isAtOnce: false });
    const coins = await ethereum.finalCoins();
    expect(coins.get(lost)).toBeUndefined();
    expect(coins.get(kept)?.map(({ litoshi }) => litoshi)).toEqual([9n]);
    expect(await token.balanceOf(lost)).toBe(0n);
  });

  test.each([
    ['at once', true],
    ['block by block', false],
  ])('contracts that lose their code when the node rolls back get it again, %s', async (_, isAtOnce) => {
    const loseCode = () => anvil.rpc('anvil_setCode', [token.address, '0x']);
    const forgetful: Anvil = {
      ...anvil,
      rpc: async <T>(method: string, params?: readonly unknown[]) => {
        const response = await anvil.rpc<T>(method, params);
        if (method === 'anvil_rollback') await loseCode();
        return response;
      },
      reorg: async (depth, transactions) => {
        await anvil.reorg(depth, transactions);
        await loseCode();
      },
    };
    await anvil.setAutomine(true);
    const clock = { now: () => now };
    const other = await createEthereumChain({ anvil: forgetful, token, clock, random: createRandom(2) });
    const address = addressOf(isAtOnce ? 5 : 6);
    await other.settle();
    await other.pay([{ crypto: 'WBTC', address, units: 5n, isInternal: false }], 1);
    await other.reorganise({ depth: 1, isAtOnce });
    expect((await other.finalCoins()).get(address)?.map(({ litoshi }) => litoshi)).toEqual([5n]);
    expect(await token.balanceOf(address)).toBe(5n);
  });

  async function logOf(address: string): Promise<{ readonly transactionHash: string; readonly logIndex: string }> {
    const to = `0x${address.slice(2).padStart(64, '0')}`;
    const topics = [TRANSFER, null, to];
    const logs = await anvil.rpc<{ transactionHash: string; logIndex: string }[]>('eth_getLogs', [
      { address: token.address, fromBlock: '0x0', toBlock: 'latest', topics },
    ]);
    expect(logs).toHaveLength(1);
    return logs[0] ?? { transactionHash: '', logIndex: '' };
  }
});

// Helpers

/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

function addressOf(digit: number): string {
  return `0x${String(digit).repeat(40)}`;
}

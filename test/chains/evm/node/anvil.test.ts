import { parseGwei } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ASSETS, CRYPTO_SYMBOLS } from '../../../../machines/index.ts';
import { type TokenTable, tokenTable } from '../../../../src/chains/evm/built-in-tokens.ts';
import type { ConnectedEvmNode } from '../../../../src/chains/evm/node/create-evm-node.ts';
import type { EvmNode, LogRange } from '../../../../src/chains/evm/node/evm-node.ts';
import { evmChain } from '../../../../src/chains/index.ts';
import {
  type AllTokens,
  type DeployedContract,
  deployAllTokens,
  deployContract,
  deployToken,
} from '../../../support/contracts/deploy.ts';
import { type Anvil, startAnvil } from '../../../support/nodes/anvil.ts';
import { describeWith } from '../../../support/run/components.ts';
import { cursorAt, makeNode } from './make-node.ts';

const describeWithAnvil = describeWith('anvil');
const SHOP = '0x00000000000000000000000000000000000000aa';
const OTHER = '0x00000000000000000000000000000000000000bb';

describeWithAnvil('queries to a real node', () => {
  let anvil: Anvil;
  let all: AllTokens;
  let tokens: TokenTable;
  let node: ConnectedEvmNode;
  let forwarder: DeployedContract;

  beforeAll(async () => {
    anvil = await startAnvil({ multicall3: true });
    all = await deployAllTokens(anvil);
    forwarder = await deployContract(anvil, 'Forwarder');
    tokens = tokenTable('ethereum-regtest', all.overrides);
    ({ node } = makeNode([anvil.url], { tokens }));
    await node.heads();
  });

  afterAll(async () => {
    await node?.close();
    await anvil?.stop();
  });

  const sender = () => anvil.accounts[0]?.address ?? '';
  const pay = async (valueWei: bigint, to = SHOP) => {
    const txid = await anvil.send({ to, valueWei });
    return { txid, height: await anvil.height() };
  };

  test('heads are the tip and the finalized height behind it', async () => {
    await anvil.mine(70);
    const tip = await anvil.rpc<{ readonly hash: string; readonly timestamp: string }>('eth_getBlockByNumber', [
      'latest',
      false,
    ]);
    const height = await anvil.height();
    expect(await node.heads()).toEqual({
      latest: { height, hash: tip.hash, timeSeconds: Number(tip.timestamp) },
      finalizedHeight: height - 64,
      isSyncing: false,
    });
  });

  test('hashes and blocks are returned in request order, with null above the tip', async () => {
    const { txid, height } = await pay(7n);
    const [absent, hash, parentHash] = await node.blockHashes([height + 1, height, height - 1]);
    expect(absent).toBeNull();
    const [block, none] = await node.blocks([height, height + 1]);
    expect(none).toBeNull();
    const nonce = (await node.nonces([sender()], await cursorAt(node, height)))?.[0] ?? 0;
    expect(block).toEqual({
      height,
      hash,
      parentHash,
      timeSeconds: expect.any(Number),
      transactions: [{ txid, from: sender(), to: SHOP, valueWei: 7n, nonce: nonce - 1, blockHash: hash }],
    });
  });

  test('a contract creation pays no address', async () => {
    await deployToken(anvil, { decimals: 18 });
    const [block] = await node.blocks([await anvil.height()]);
    expect(block?.transactions[0]?.to).toBeNull();
  });

  test('more blocks than fit one request are all returned', async () => {
    const tip = await anvil.height();
    const heights = Array.from({ length: 60 }, (_, back) => tip - back);
    const hashes = await node.blockHashes(heights);
    const blocks = await node.blocks(heights);
    expect(blocks.map((block) => block?.hash)).toEqual(hashes);
    expect(blocks.map((block) => block?.height)).toEqual(heights);
  });

  test.each(CRYPTO_SYMBOLS.filter((symbol) => ASSETS[symbol].type === 'token'))(
    'a transfer of %s is found with its amount',
    async (symbol) => {
      const amountBaseUnits = 10n ** BigInt(ASSETS[symbol].decimals) + 1n;
      const txid = await all.token(symbol).transfer(SHOP, amountBaseUnits);
      const height = await anvil.height();
      const [blockHash] = await node.blockHashes([height]);
      const transfer = {
        token: symbol,
        from: sender(),
        to: SHOP,
        amountBaseUnits,
        txid,
        logIndex: 0,
        height,
        blockHash,
      };
      expect(await node.tokenTransfers(await blocksOf(node, height))).toEqual([transfer]);
      const [receipt] = await node.receipts([txid]);
      expect(receipt).toMatchObject({ succeeded: true, height, blockHash, tokenTransfers: [transfer] });
    },
  );

  test('transfers of many blocks are in chain order, without approvals and foreign tokens', async () => {
    const fromHeight = (await anvil.height()) + 1;
    const foreign = await deployToken(anvil, { decimals: 6 });
    await foreign.transfer(SHOP, 999n);
    await all.token('DAI').transfer(SHOP, 1n);
    await all.token('DAI').send('approve', [OTHER, 5n]);
    await anvil.setAutomine(false);
    for (const symbol of ['LINK', 'USDT', 'LINK'] as const) await all.token(symbol).transfer(OTHER, 2n);
    await anvil.mine();
    await anvil.setAutomine(true);
    const transfers = await node.tokenTransfers(await blocksOf(node, fromHeight, await anvil.height()));
    expect(transfers.map(({ token, to, amountBaseUnits, logIndex }) => [token, to, amountBaseUnits, logIndex])).toEqual(
      [
        ['DAI', SHOP, 1n, 0],
        ['LINK', OTHER, 2n, 0],
        ['USDT', OTHER, 2n, 1],
        ['LINK', OTHER, 2n, 2],
      ],
    );
  });

  test('a token with a transfer fee credits the amount that arrived', async () => {
    const token = await deployToken(anvil, { kind: 'FeeToken', decimals: 18 });
    const watching = makeNode([anvil.url], { tokens: [{ symbol: 'PEPE', contract: token.address, decimals: 18 }] });
    await token.transfer(SHOP, 1_000n, sender());
    const height = await anvil.height();
    const transfers = await watching.node.tokenTransfers(await blocksOf(node, height));
    expect(transfers.filter(({ to }) => to === SHOP).map(({ amountBaseUnits }) => amountBaseUnits)).toEqual([990n]);
    await watching.node.close();
  });

  test('tokens of a height above the tip are an error, not "none"', async () => {
    const above = (await anvil.height()) + 1;
    await expect(
      node.tokenTransfers({ fromHeight: above, end: { height: above, blockHash: '0x' } }),
    ).rejects.toMatchObject({
      name: 'RetryableError',
      code: 'NODE_RESPONSE_UNUSABLE',
    });
    await node.heads();
  });

  test('a receipt has the gas cost, and is null for a pending or unknown transaction', async () => {
    const before = await anvil.balanceOf(sender());
    const { txid } = await pay(5n);
    await anvil.setAutomine(false);
    const waiting = await anvil.send({ to: SHOP, valueWei: 1n, maxFeePerGas: parseGwei('100') });
    const unknown = `0x${'ab'.repeat(32)}`;
    const [receipt, none, nothing] = await node.receipts([txid, waiting, unknown]);
    expect([none, nothing]).toEqual([null, null]);
    expect(receipt?.succeeded).toBe(true);
    expect(receipt?.feeWei).toBe(before - 5n - (await anvil.balanceOf(sender())));
    const [known, mempool, absent] = await node.transactions([txid, waiting, unknown]);
    expect(known).toMatchObject({ txid, blockHash: receipt?.blockHash, valueWei: 5n });
    expect(mempool).toMatchObject({ txid: waiting, blockHash: null, to: SHOP });
    expect(absent).toBeNull();
    await anvil.mine();
    await anvil.setAutomine(true);
  });

  test('a reverted transaction has a receipt marked as reverted', async () => {
    const txid = await forwarder.send('forwardAndRevert', [SHOP], { valueWei: 5n });
    const [receipt] = await node.receipts([txid]);
    expect(receipt).toMatchObject({ succeeded: false, tokenTransfers: [] });
    expect(receipt?.feeWei).toBeGreaterThan(0n);
  });

  test('a replaced transaction is unknown, and its nonce is used', async () => {
    await anvil.setAutomine(false);
    const height = await anvil.height();
    const block = await cursorAt(node, height);
    const [nonce = 0] = (await node.nonces([sender()], block)) ?? [];
    const low = await anvil.send({ to: SHOP, valueWei: 1n, nonce, maxFeePerGas: parseGwei('50') });
    const high = await anvil.send({ to: OTHER, valueWei: 2n, nonce, maxFeePerGas: parseGwei('90') });
    expect(await node.nonces([sender(), SHOP], block)).toEqual([nonce, 0]);
    await anvil.mine();
    await anvil.setAutomine(true);
    expect(await node.transactions([low, high])).toMatchObject([null, { txid: high, nonce }]);
    expect(await node.nonces([sender()], await cursorAt(node, height + 1))).toEqual([nonce + 1]);
    expect(await node.nonces([sender()], block), 'as of the block before').toEqual([nonce]);
    await expect(node.nonces([sender()], await cursorAt(node, height + 99))).rejects.toMatchObject({
      code: 'BLOCK_LEFT_CHAIN',
    });
  });

  test('after a reorg the blocks differ and the transactions of the old ones are gone', async () => {
    const { txid, height } = await pay(11n);
    const [before] = await node.blockHashes([height]);
    await anvil.reorg(1, [[{ from: anvil.accounts[1]?.address, to: SHOP, value: '0xd' }, 0]]);
    const [after] = await node.blocks([height]);
    expect(after?.hash).not.toBe(before);
    expect(after?.transactions).toMatchObject([{ to: SHOP, valueWei: 13n }]);
    expect(await node.receipts([txid])).toEqual([null]);
    expect(await node.transactions([txid])).toEqual([null]);
  });

  test('decimals are confirmed by every contract', async () => {
    expect(await node.verifyTokenDecimals()).toEqual([]);
  });

  test('a token with other decimals, without decimals, or without a contract is a problem with a message', async () => {
    const link = await deployToken(anvil, { decimals: 8 });
    const table = tokenTable('ethereum-regtest', {
      LINK: link.address,
      UNI: forwarder.address,
      MKR: OTHER,
      DAI: all.token('DAI').address,
    });
    const watching = makeNode([anvil.url], { tokens: table });
    const problems = await watching.node.verifyTokenDecimals();
    expect(problems.map(({ symbol, message }) => [symbol, message])).toEqual([
      [
        'LINK',
        `The contract at ${link.address}, configured as LINK, has 8 decimals (expected: 18). It is not watched. Check the address configured for LINK.`,
      ],
      ['UNI', expect.stringContaining('does not report its decimals (expected: 18')],
      ['MKR', expect.stringContaining(`No contract found at ${OTHER}`)],
    ]);
    await watching.node.close();
  });
});

describeWithAnvil('failing real nodes', () => {
  test('fail over to the next node when they are down, and are an error until then', async () => {
    const [first, second] = [await startAnvil(), await startAnvil()];
    const { node } = makeNode([first.url, second.url]);
    try {
      await second.mine(2);
      expect((await node.heads()).latest.height).toBe(0);
      await first.stop();
      await expect(node.blockHashes([0])).rejects.toMatchObject({ name: 'RetryableError', code: 'NODE_UNREACHABLE' });
      expect((await node.heads()).latest.height).toBe(2);
      expect(node.status()).toEqual({ endpoint: second.url, failovers: 1 });
    } finally {
      await node.close();
      await first.stop();
      await second.stop();
    }
  });

  test('are detected by their chain id when another node replaces them on the same port', async () => {
    const first = await startAnvil();
    const { node } = makeNode([first.url]);
    await node.heads();
    await first.stop();
    await expect(node.blockHashes([0])).rejects.toMatchObject({ code: 'NODE_UNREACHABLE' });
    const second = await startAnvil({ port: first.port, chainId: 1 });
    await expect(node.heads()).rejects.toMatchObject({ name: 'TerminalError', code: 'WRONG_NETWORK' });
    await second.stop();
    await node.close();
  });

  test('with the id of a public chain and a different genesis are rejected', async () => {
    const anvil = await startAnvil({ chainId: 1, slotsInAnEpoch: 1 });
    const { node } = makeNode([anvil.url], { params: evmChain('ethereum-mainnet') });
    await expect(node.heads()).rejects.toMatchObject({ code: 'WRONG_NETWORK' });
    await node.close();
    const trusting = makeNode([anvil.url], { params: { ...evmChain('ethereum-mainnet'), genesisHash: null } });
    await anvil.mine(10);
    expect(await trusting.node.heads()).toMatchObject({ latest: { height: 10 }, finalizedHeight: 8 });
    await trusting.node.close();
    await anvil.stop();
  });
});

describeWithAnvil('the test node', () => {
  test('signs for any address, follows the set time, and reverts to a snapshot', async () => {
    const anvil = await startAnvil();
    try {
      const contract = await deployContract(anvil, 'Forwarder');
      await anvil.setBalance(contract.address, 10n ** 18n);
      const snapshotId = await anvil.snapshot();
      const then = Math.floor(Date.now() / 1000) + 5_000;
      await anvil.setNextBlockTimestamp(then);
      await anvil.impersonate(contract.address);
      await anvil.send({ from: contract.address, to: SHOP, valueWei: 5n });
      expect(await anvil.balanceOf(SHOP)).toBe(5n);
      const block = await anvil.rpc<{ readonly timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
      expect(Number(block.timestamp)).toBe(then);
      await anvil.revert(snapshotId);
      expect(await anvil.balanceOf(SHOP)).toBe(0n);
      await expect(anvil.revert(snapshotId)).rejects.toThrow('no snapshot');
    } finally {
      await anvil.stop();
    }
  });
});

// Helpers

async function blocksOf(node: EvmNode, fromHeight: number, toHeight = fromHeight): Promise<LogRange> {
  const [blockHash] = await node.blockHashes([toHeight]);
  return { fromHeight, end: { height: toHeight, blockHash: blockHash ?? '' } };
}

import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVM_CHECKS } from '../../../src/cli/doctor/checks/evm-nodes.ts';
import { UTXO_CHECKS } from '../../../src/cli/doctor/checks/utxo-nodes.ts';
import { type Anvil, startAnvil } from '../../support/nodes/anvil.ts';
import { type Litecoind, startLitecoind } from '../../support/nodes/litecoind.ts';
import { describeWith } from '../../support/run/components.ts';
import { look } from './installation.ts';

const describeLitecoind = describeWith('litecoind');

describeLitecoind('doctor with a Litecoin node', () => {
  let node: Litecoind | undefined;
  beforeAll(async () => {
    node = await startLitecoind({ funded: false });
    await node.mine(3);
  });
  afterAll(() => node?.stop());

  const litecoin = (env: Record<string, string> = {}) =>
    look(UTXO_CHECKS, { LTC_NETWORK: 'regtest', LTC_RPC_URL: node?.rpcUrl ?? '', ...env });

  test('reports ok', async () => {
    expect(await litecoin()).toEqual([
      expect.stringMatching(/^ok coin nodes: litecoin-regtest: synced, at block 3(, with txindex)?$/),
    ]);
  });

  test('reports another network, another password and an unreachable node, and prints no password', async () => {
    expect(await litecoin({ DATABASE_URL: 'postgres://127.0.0.1:1/none', LTC_NETWORK: 'mainnet' })).toEqual([
      expect.stringMatching(
        /^problem coin nodes: litecoin-mainnet: the node is not on litecoin-mainnet: its first block is/,
      ),
    ]);
    const url = new URL(node?.rpcUrl ?? '');
    url.password = 'wrong-word';
    const rejected = await litecoin({ LTC_RPC_URL: url.href });
    expect(rejected).toEqual([expect.stringMatching(/^problem coin nodes: litecoin-regtest: .* returned 401/)]);
    const absent = await litecoin({ LTC_RPC_URL: 'http://user:wrong-word@127.0.0.1:1' });
    expect(absent).toEqual([expect.stringMatching(/^problem coin nodes: litecoin-regtest: .* does not respond/)]);
    expect([...rejected, ...absent].join()).not.toContain('wrong-word');
  });

  test('reports missing ZMQ publishers', async () => {
    const zmq = async (port: number) => (await litecoin({ LTC_ZMQ_URL: `tcp://127.0.0.1:${port}` })).at(-1);
    expect(await zmq(1)).toBe('warning ZMQ: litecoin-regtest: nothing listens at tcp://127.0.0.1:1');
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    // The node lists what it publishes, or does not know the RPC method; both give a result.
    expect(await zmq(typeof address === 'object' ? (address?.port ?? 0) : 0)).toMatch(
      /^(ok|warning) ZMQ: litecoin-regtest: /,
    );
    await new Promise((resolve) => listener.close(resolve));
  });
});

const describeAnvil = describeWith('anvil');

describeAnvil('doctor with an Ethereum node', () => {
  let node: Anvil | undefined;
  beforeAll(async () => {
    node = await startAnvil();
    await node.mine(2);
  });
  afterAll(() => node?.stop());

  const ethereum = (env: Record<string, string> = {}) =>
    look(EVM_CHECKS, { ETH_NETWORK: 'regtest', ETH_RPC_URL: node?.url ?? '', ...env });

  test('reports ok for each endpoint', async () => {
    const found = await ethereum({ ETH_RPC_URL_2: 'http://127.0.0.1:1/v3/hidden-in-the-path' });
    expect(found).toEqual([
      expect.stringMatching(
        /^ok EVM nodes: ethereum-regtest \(ETH_RPC_URL\): chain id 31337, at block 2; 0 of 0 tokens/,
      ),
      expect.stringMatching(/^problem EVM nodes: ethereum-regtest \(ETH_RPC_URL_2\): /),
    ]);
    expect(found.join()).not.toContain('hidden-in-the-path');
  });

  test('reports another chain, and a token without a contract there', async () => {
    expect(await ethereum({ ETH_NETWORK: 'testnet' })).toEqual([
      expect.stringMatching(/^problem EVM nodes: ethereum-testnet \(ETH_RPC_URL\): .*31337/),
    ]);
    const contract = '0x00000000000000000000000000000000000000aa';
    expect(await ethereum({ ETH_TOKENS: JSON.stringify({ USDC: contract }) })).toEqual([
      expect.stringMatching(/^ok EVM nodes: .*; 0 of 1 tokens match their settings$/),
      expect.stringMatching(/^problem EVM nodes: .*No contract found at 0x/i),
    ]);
  });
});

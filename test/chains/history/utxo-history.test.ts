import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBitcoindRpc, createUtxoHistory, RpcError } from '../../../src/chains/index.ts';
import { TerminalError } from '../../../src/platform/errors.ts';
import { type Litecoind, startLitecoind } from '../../support/nodes/litecoind.ts';
import { describeWith } from '../../support/run/components.ts';

const describeWithNode = describeWith('litecoind');

describeWithNode('history by scanning the unspent outputs of a Litecoin node', () => {
  let node: Litecoind;
  let rpc: ReturnType<typeof createBitcoindRpc>;

  beforeAll(async () => {
    node = await startLitecoind();
    rpc = createBitcoindRpc({ url: node.rpcUrl });
  });

  afterAll(async () => {
    await rpc?.close();
    await node?.stop();
  });

  async function newAddress(type: string) {
    const address = await node.rpc<string>('getnewaddress', ['', type]);
    const { scriptPubKey } = await node.rpc<{ scriptPubKey: string }>('getaddressinfo', [address]);
    return { address, watchKey: scriptPubKey };
  }

  it('finds coins at addresses of every type, in blocks only, and nothing at the others', async () => {
    const history = createUtxoHistory({ rpc });
    const paid = await Promise.all(['legacy', 'p2sh-segwit', 'bech32'].map(newAddress));
    const unused = await Promise.all(['legacy', 'p2sh-segwit', 'bech32'].map(newAddress));
    // In one transaction: otherwise the wallet would fund the second payment with coins of the
    // first.
    await node.rpc('sendmany', ['', Object.fromEntries(paid.map(({ address }) => [address, 1]))]);
    expect(await history.usedAmong([...paid, ...unused])).toEqual(new Set());
    await node.mine(1);
    expect(await history.usedAmong([...paid, ...unused])).toEqual(new Set(paid.map(({ watchKey }) => watchKey)));
    expect(await history.usedAmong(unused)).toEqual(new Set());
    expect(await history.usedAmong([])).toEqual(new Set());
  });

  it('scans for thousands of addresses at once', async () => {
    const history = createUtxoHistory({ rpc });
    const paid = await newAddress('bech32');
    await node.rpc('sendtoaddress', [paid.address, 1]);
    await node.mine(1);
    const others = Array.from({ length: 20_000 }, (_, index) => {
      const watchKey = `0014${index.toString(16).padStart(40, '0')}`;
      return { watchKey, address: watchKey };
    });
    expect(await history.usedAmong([...others, paid])).toEqual(new Set([paid.watchKey]));
  });

  it('does not find an address whose coins were all spent: the node no longer knows it', async () => {
    const history = createUtxoHistory({ rpc });
    const emptied = await newAddress('bech32');
    const txid = await node.rpc<string>('sendtoaddress', [emptied.address, 1]);
    await node.mine(1);
    const unspent = await node.rpc<{ txid: string; vout: number; address: string }[]>('listunspent');
    const coin = unspent.find((each) => each.txid === txid && each.address === emptied.address);
    const target = await newAddress('bech32');
    const raw = await node.rpc<string>('createrawtransaction', [
      [{ txid, vout: coin?.vout }],
      { [target.address]: 0.999 },
    ]);
    const { hex } = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', [raw]);
    await node.rpc('sendrawtransaction', [hex]);
    await node.mine(1);
    expect(await history.usedAmong([emptied, target])).toEqual(new Set([target.watchKey]));
  });
});

/** A synced node that answers `scantxoutset start` with `scan`. */
function nodeResponding(scan: () => Promise<unknown>, info: object = {}) {
  const calls: unknown[] = [];
  return {
    calls,
    call: async (method: string, params: readonly unknown[] = []) => {
      calls.push([method, params[0]]);
      if (method === 'getblockchaininfo') return { blocks: 5, headers: 5, initialblockdownload: false, ...info };
      if (params[0] === 'abort') return true;
      return scan();
    },
  };
}

const ASKED = [{ watchKey: '0014aa', address: 'a' }];
const EMPTY = { success: true, unspents: [] };

describe('history at a node without a response', () => {
  it.each([
    ['has no such method', new RpcError('scantxoutset', -32_601, 'Method not found')],
    ['does not allow the method', new TerminalError('NODE_REFUSED_CREDENTIALS', '403')],
  ])('is null permanently when it %s', async (_, rejection) => {
    const rpc = nodeResponding(() => Promise.reject(rejection));
    const history = createUtxoHistory({ rpc });
    expect(await history.usedAmong(ASKED)).toBeNull();
    const requested = rpc.calls.length;
    expect(await history.usedAmong(ASKED)).toBeNull();
    expect(rpc.calls.length).toBe(requested);
  });

  it('is retried later while the node is busy with another scan', async () => {
    const busy = new RpcError('scantxoutset', -8, 'Scan already in progress, use action "abort" or "status"');
    const responses = [() => Promise.reject(busy), async () => EMPTY];
    const history = createUtxoHistory({ rpc: nodeResponding(() => responses.shift()?.() ?? Promise.resolve(EMPTY)) });
    await expect(history.usedAmong(ASKED)).rejects.toMatchObject({ code: 'SCAN_IN_PROGRESS', retryAfterMs: 60_000 });
    expect(await history.usedAmong(ASKED)).toEqual(new Set());
  });

  it.each([
    ['is in its first download', { initialblockdownload: true }],
    ['has headers without blocks', { headers: 9 }],
  ])('is retried later while the node %s', async (_, info) => {
    const history = createUtxoHistory({ rpc: nodeResponding(async () => EMPTY, info) });
    await expect(history.usedAmong(ASKED)).rejects.toMatchObject({ code: 'NODE_SYNCING' });
  });

  it('rejects a partial scan', async () => {
    const history = createUtxoHistory({ rpc: nodeResponding(async () => ({ success: false, unspents: [] })) });
    await expect(history.usedAmong(ASKED)).rejects.toMatchObject({ code: 'SCAN_ABORTED' });
  });

  it('runs one scan at a time', async () => {
    let running = 0;
    let most = 0;
    const history = createUtxoHistory({
      rpc: nodeResponding(async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return EMPTY;
      }),
    });
    await Promise.all([1, 2, 3].map(() => history.usedAmong(ASKED)));
    expect(most).toBe(1);
  });

  it('aborts the scan of the node when it is stopped', async () => {
    const stopping = new AbortController();
    let respond: (result: unknown) => void = () => {};
    const rpc = nodeResponding(() => {
      queueMicrotask(() => stopping.abort(new Error('stop')));
      return new Promise((resolve) => {
        respond = resolve;
      });
    });
    const requested = createUtxoHistory({ rpc }).usedAmong(ASKED, stopping.signal);
    await expect.poll(() => rpc.calls).toContainEqual(['scantxoutset', 'abort']);
    respond({ success: false, unspents: [] });
    await expect(requested).rejects.toMatchObject({ code: 'SCAN_ABORTED' });
  });

  it("starts no scan when it is stopped while it checks the node's sync status", async () => {
    const stopping = new AbortController();
    const node = nodeResponding(async () => EMPTY);
    const rpc = {
      async call(method: string, params?: readonly unknown[]) {
        stopping.abort(new Error('stop'));
        return node.call(method, params);
      },
    };
    await expect(createUtxoHistory({ rpc }).usedAmong(ASKED, stopping.signal)).rejects.toThrow('stop');
    expect(node.calls).toEqual([['getblockchaininfo', undefined]]);
  });
});

import fc from 'fast-check';
import { createUtxoWatcher, type UtxoChainParams } from '../../../src/chains/index.ts';
import { BITCOIN_FORMAT } from '../../../src/chains/utxo/raw-reader.ts';
import { type BuiltTransaction, buildTransaction } from '../../chains/support/raw-builder.ts';
import { coin, createFakeUtxoNode, type FakeUtxoNode, script } from '../../support/nodes/fake-utxo-node.ts';
import { silentLog } from '../../support/silent-log.ts';
import { LITECOIN } from '../watching/sink-support.ts';
import type { PlayedChain, PlayedNode } from './chain.ts';
import { createHistories } from './history.ts';
import type { HistoryEvent } from './history-event.ts';

const ELSEWHERE = { scriptHex: script(0), valueBaseUnits: 1_000n };

const nodeRestarts: fc.WeightedArbitrary<HistoryEvent> = {
  weight: 3,
  arbitrary: fc.boolean().map((isLoaded) => ({ kind: 'the mempool loads', isLoaded }) as const),
};

/** Litecoin: coins are spent once, and the mempool is watched. */
export function createUtxoChain(): PlayedChain<BuiltTransaction> {
  const node = createFakeUtxoNode();
  const params: UtxoChainParams = {
    network: LITECOIN,
    asset: 'LTC',
    genesisHash: node.genesisHash,
    format: BITCOIN_FORMAT,
    staleAfterMs: null,
  };
  let coins = 0;

  function nextCoin(): string {
    coins += 1;
    return coin(coins);
  }

  function setLoaded(isLoaded: boolean): void {
    node.mempoolLoaded = isLoaded;
    node.listsMempool = isLoaded;
  }

  return {
    network: LITECOIN,
    histories: createHistories({ ways: ['directly', 'in two parts'], blocks: 2, also: [nodeRestarts] }),
    node: playedNode(node),
    isSeenInBlocksOnly: false,
    cryptoOf: () => 'LTC',
    createWatcher: (parts) => createUtxoWatcher({ ...parts, params, rpc: node.rpc, log: silentLog }),
    pay(recipients, { way, lineage, addsInput, salt }) {
      const spent = lineage ?? nextCoin();
      const parts = way === 'in two parts' ? 2n : 1n;
      const outputs = recipients.flatMap(({ watchKey: scriptHex, amount }) =>
        Array.from({ length: Number(parts) }, () => ({ scriptHex, valueBaseUnits: amount / parts })),
      );
      return {
        transaction: buildTransaction([spent, ...(addsInput ? [nextCoin()] : [])], outputs, salt),
        lineage: spent,
      };
    },
    payElsewhere: (lineage, salt) => buildTransaction([lineage], [ELSEWHERE], salt),
    txidsOf: ({ txid }) => (txid === null ? [] : [txid]),
    partOf: ({ outputId }) => outputId,
    mayUndo: () => true,
    canVerify: () => node.mempoolLoaded === true,
    change(each) {
      if (each.kind === 'the mempool loads') setLoaded(each.isLoaded);
    },
    calm() {
      setLoaded(true);
    },
    begin: () => {},
  };
}

// Helpers

function playedNode(node: FakeUtxoNode): PlayedNode<BuiltTransaction> {
  return {
    ...node,
    time: node,
    onCall: (listener) => {
      node.beforeCall = listener;
    },
    /** Without the coinbase transactions. */
    bestBranch: () => node.bestBranch().map((block) => ({ ...block, transactions: block.transactions.slice(1) })),
    waiting: node.mempool,
    drop: node.evict,
  };
}

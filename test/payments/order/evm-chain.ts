import type { CryptoSymbol } from '../../../machines/index.ts';
import { createEvmWatcher, type EvmChainParams } from '../../../src/chains/index.ts';
import { createAccountReader } from '../../../src/payments/index.ts';
import {
  COIN,
  coins,
  createFakeEvmNode,
  type FakeBlock,
  type FakeEvmNode,
  type FakeTransaction,
  otherAddress,
  transaction,
} from '../../support/nodes/fake-evm-node.ts';
import { silentLog } from '../../support/silent-log.ts';
import { ETHEREUM } from '../watching/sink-support.ts';
import type { PlayedChain, PlayedNode, Recipient } from './chain.ts';
import { evmHistories } from './evm-histories.ts';

const TOKEN: CryptoSymbol = 'USDT';
/** Delay of a block's logs; shorter than the time after which a missing log counts as a loss. */
const LAG_SECONDS = 48;

/**
 * Whether reorganisations undo blocks in which contracts sent ether, on a node that does not trace.
 * Such coins have no transaction id, so unlike the reference model here, a payment cannot know
 * which of them belong to a replaced transaction. The watcher's tests check that they never count
 * twice.
 */
const MOVES_UNTRACED_COINS = false;
/**
 * Whether the two parts that one transaction pays to an address are equal. Once that transaction is
 * gone, a payment takes them for one part with two output ids, so a replacement after the window is
 * late.
 * `partOf` relies on it.
 */
const PAYS_EQUAL_PARTS = false;

const params: EvmChainParams = {
  network: ETHEREUM,
  chainId: 31_337,
  genesisHash: null,
  asset: COIN,
  // As on the main network, blocks are regular: the chain counts as synced up to its newest block.
  staleAfterMs: Number.POSITIVE_INFINITY,
  lateBlockMs: 60_000,
};

/**
 * Ethereum: accounts with ether and tokens, no mempool, and contracts that send ether without a
 * transaction to the address.
 */
export function createEvmChain(): PlayedChain<FakeTransaction> {
  const node = createFakeEvmNode();
  let senders = 0;
  let lag: number | null = null;
  let hasBeenBlind = false;

  node.hidesLog = ({ blockHash, logIndex, height }) => {
    const age = node.timeSeconds - node.block(blockHash).timeSeconds;
    return lag !== null && age < LAG_SECONDS && ((lag >> ((logIndex + height) % 8)) & 1) === 1;
  };

  function nextSender(): string {
    senders += 1;
    return otherAddress(100 + senders);
  }

  return {
    network: ETHEREUM,
    histories: evmHistories,
    node: playedNode(node),
    isSeenInBlocksOnly: true,
    cryptoOf: (payment) => (payment % 2 === 0 ? COIN : TOKEN),
    createWatcher: ({ db, ...parts }) =>
      createEvmWatcher({
        ...parts,
        params,
        node,
        accounts: createAccountReader({ db, network: ETHEREUM, coin: COIN }),
        dropSink: async () => {
          throw new Error('no account lost anything');
        },
        log: silentLog,
        balanceCheckEveryMs: 0,
      }),
    pay(recipients, { way, lineage }) {
      const from = lineage ?? nextSender();
      const parts = recipients.flatMap((each) => (way === 'in two parts' ? inTwoParts(each) : [each]));
      const paid = parts.filter(({ crypto }) => crypto === COIN);
      const logged = parts.filter(({ crypto }) => crypto === TOKEN);
      const directly = way === 'by contract' ? undefined : paid[0];
      // A contract that forwards tokens may also send ether, which is not part of a token payment.
      const along = way === 'by contract' ? logged : [];
      const made = transaction({
        from,
        nonce: 0,
        to: directly?.watchKey ?? otherAddress(7),
        valueWei: directly?.amount ?? 0n,
        internal: [...paid.filter((each) => each !== directly), ...along].map(({ watchKey: to, amount: valueWei }) => {
          return { to, valueWei };
        }),
        tokens: logged.map(({ watchKey: to, amount: amountBaseUnits }) => {
          return { token: TOKEN, from, to, amountBaseUnits, keptBaseUnits: 0n };
        }),
      });
      return { transaction: made, lineage: from };
    },
    payElsewhere: (from) => coins(otherAddress(9), 1n, { from, nonce: 0 }),
    txidsOf({ txid, watchKey, status }) {
      if (txid !== null) return [txid];
      const block = 'blockHash' in status ? node.block(status.blockHash) : null;
      return (block?.transactions ?? [])
        .filter(({ internal }) => internal.some(({ to }) => to === watchKey))
        .map((each) => each.txid);
    },
    partOf: ({ amountBaseUnits }) => amountBaseUnits.toString(),
    mayUndo: (blocks) => MOVES_UNTRACED_COINS || !hasBeenBlind || !blocks.some(hasContractCoins),
    canVerify: () => true,
    change(each) {
      if (each.kind === 'logs lag') lag = each.mask;
      if (each.kind === 'tracing changes') node.traces = each.traces;
      hasBeenBlind ||= node.traces !== true;
    },
    calm() {
      lag = null;
      node.traces = true;
    },
    begin() {
      hasBeenBlind = false;
    },
  };
}

// Helpers

function playedNode(node: FakeEvmNode): PlayedNode<FakeTransaction> {
  return {
    ...node,
    time: node,
    onCall: (listener) => {
      node.beforeCall = listener;
    },
    mine: (transactions) => void node.mine(transactions),
  };
}

function inTwoParts(recipient: Recipient): Recipient[] {
  const first = PAYS_EQUAL_PARTS ? recipient.amount / 2n : (recipient.amount * 2n) / 5n;
  return [first, recipient.amount - first].map((amount) => ({ ...recipient, amount }));
}

function hasContractCoins({ transactions }: Pick<FakeBlock, 'transactions'>): boolean {
  return transactions.some(({ internal }) => internal.length > 0);
}

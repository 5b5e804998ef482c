import { randomBytes } from 'node:crypto';
import type { UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { type DeployedToken, deployContract } from '../../support/contracts/deploy.ts';
import type { Anvil } from '../../support/nodes/anvil.ts';
import type { FinalCoins } from '../checker/expected.ts';
import type { Random } from '../random.ts';
import { divide, reorder } from './branch.ts';
import { createQueue } from './queue.ts';
import { createSender, type Sender, type Signed } from './senders.ts';

/**
 * The payers' side of an Ethereum chain: a node that mines on request, at the times of the run's
 * clock.
 */
export interface EthereumChain {
  /** Mines these payments in this many blocks, each in its own transaction. */
  pay(payments: readonly EthereumPayment[], blocks: number): Promise<void>;
  /** Mines a payment whose sender can reuse its nonce after a reorganisation; returns its id. */
  payRevocably(payment: EthereumPayment): Promise<string>;
  mine(blocks: number): Promise<void>;
  /** From now on no reorganisation goes below the current block. */
  settle(): Promise<void>;
  /** Number of blocks that a reorganisation could undo. */
  unsettledBlocks(): Promise<number>;
  reorganise(how: EthereumReorganisation): Promise<void>;
  /**
   * What each address received in transactions of the best chain; throws when its balance differs.
   */
  finalCoins(): Promise<ReadonlyMap<string, readonly FinalCoins[]>>;
}

export interface EthereumPayment {
  readonly crypto: 'ETH' | 'WBTC';
  readonly address: string;
  /** In 1e-8 of a coin, like litoshi. */
  readonly units: bigint;
  /** Ether sent by a contract, visible only in a trace or the balance. */
  readonly isInternal: boolean;
}

export interface EthereumReorganisation {
  readonly depth: number;
  /** Transactions that are not mined again, because their senders spend the nonce otherwise. */
  readonly lost?: readonly string[];
  /**
   * Whether the new branch replaces the old one in one step, with the timestamps of the fork.
   * Otherwise the blocks are undone first, and the new ones have current timestamps.
   */
  readonly isAtOnce: boolean;
}

interface Coin {
  readonly payment: EthereumPayment;
  readonly firstSeenAt: UnixMs;
}

const WEI_PER_UNIT = 10n ** 10n;
const TOKENS_PER_SENDER = 10n ** 16n;
const SENDER_WEI = 10n ** 21n;
/** Each sends one transaction, independent of all others. Enough for some ten thousand payments. */
const DISPOSABLE_SENDERS = 500;
/** How many of them can also send tokens. */
const TOKEN_SENDERS = 60;
/** Receives coins that are not for the merchant. */
const UNRELATED_ADDRESS = `0x${'7'.repeat(40)}`;

export async function createEthereumChain(deps: {
  readonly anvil: Anvil;
  readonly token: DeployedToken;
  readonly clock: Clock;
  readonly random: Random;
}): Promise<EthereumChain> {
  const { anvil, token, clock, random } = deps;
  const queue = createQueue();
  const forwarder = await deployContract(anvil, 'Forwarder');
  const code = new Map<string, string>();
  for (const { address } of [token, forwarder]) code.set(address, await codeOf(address));
  for (const { address } of anvil.accounts.slice(1)) await token.transfer(address, TOKENS_PER_SENDER);
  const disposable: Sender[] = [];
  for (let count = 0; count < DISPOSABLE_SENDERS; count += 1) {
    const sender = createSender(`0x${randomBytes(32).toString('hex')}`);
    await anvil.setBalance(sender.address, SENDER_WEI);
    disposable.push(sender);
  }
  const tokenSenders = disposable.splice(0, TOKEN_SENDERS);
  for (const { address } of tokenSenders) await token.transfer(address, TOKENS_PER_SENDER);
  await anvil.setAutomine(false);
  const senders: Sender[] = [];
  for (const { address, privateKey } of anvil.accounts) senders.push(createSender(privateKey, await nonceOf(address)));
  // In a block, because a reorganisation reverts balances that were set after the fork.
  await anvil.mine(1);
  const coins = new Map<string, Coin>();
  const revocable = new Map<string, { readonly sender: Sender; readonly signed: Signed }>();
  /** Mined transactions by height; blocks without any are left out. */
  const mined = new Map<number, readonly Signed[]>();
  let settledHeight = await anvil.height();

  function codeOf(address: string): Promise<string> {
    return anvil.rpc<string>('eth_getCode', [address, 'latest']);
  }

  async function hasCode(): Promise<boolean> {
    for (const address of code.keys()) if ((await codeOf(address)) === '0x') return false;
    return true;
  }

  /**
   * After a thousand blocks anvil 1.7.1 has rolled back to a state with storage and without code:
   * transfers did nothing there, and no node of a real network would have agreed.
   */
  async function rollBack(blocks: number): Promise<void> {
    await anvil.rpc('anvil_rollback', [blocks]);
    if (await hasCode()) return;
    for (const [address, bytes] of code) await anvil.rpc('anvil_setCode', [address, bytes]);
  }

  async function nonceOf(address: string): Promise<number> {
    return Number(await anvil.rpc<string>('eth_getTransactionCount', [address, 'latest']));
  }

  function sign(sender: Sender, { crypto, address, units, isInternal }: EthereumPayment): Promise<Signed> {
    if (crypto === 'WBTC') return sender.sign({ to: token.address, data: token.encode('transfer', address, units) });
    const valueWei = units * WEI_PER_UNIT;
    if (!isInternal) return sender.sign({ to: address, valueWei });
    return sender.sign({ to: forwarder.address, valueWei, data: forwarder.encode('forward', address) });
  }

  /** Returns the timestamp of the new block in milliseconds. */
  async function mineBlock(transactions: readonly Signed[]): Promise<UnixMs> {
    for (const { raw } of transactions) await anvil.rpc('eth_sendRawTransaction', [raw]);
    const { timestamp: last } = await readBlock('latest');
    const seconds = Math.max(Number(last) + 1, Math.floor(clock.now() / 1_000));
    await anvil.setNextBlockTimestamp(seconds);
    await anvil.mine(1);
    await recordBlock(await readBlock('latest'), transactions);
    return seconds * 1_000;
  }

  async function recordBlock(block: Block, transactions: readonly Signed[]): Promise<void> {
    if (block.transactions.length !== transactions.length) {
      const counts = `${block.transactions.length} of ${transactions.length}`;
      throw new Error(`block ${Number(block.number)} has ${counts} transactions`);
    }
    if (transactions.length > 0) mined.set(Number(block.number), transactions);
  }

  async function requireSuccess(txid: string): Promise<void> {
    const receipt = await anvil.rpc<{ readonly status: string } | null>('eth_getTransactionReceipt', [txid]);
    if (receipt?.status !== '0x1') throw new Error(`${txid} failed`);
  }

  function readBlock(height: number | 'latest'): Promise<Block> {
    const block = height === 'latest' ? height : `0x${height.toString(16)}`;
    return anvil.rpc<Block>('eth_getBlockByNumber', [block, false]);
  }

  function takeSender(from: Sender[]): Sender {
    const sender = from.pop();
    if (sender === undefined) throw new Error('the payers have no account left that has sent nothing');
    return sender;
  }

  /** A transfer of amount 0, which still emits a log. */
  function signLog(): Promise<Signed> {
    return takeSender(disposable).sign({ to: token.address, data: token.encode('transfer', UNRELATED_ADDRESS, 0n) });
  }

  async function undoAndMine({ depth, lost = [], isAtOnce }: EthereumReorganisation): Promise<void> {
    const height = await anvil.height();
    const fork = Math.max(settledHeight, height - depth);
    const undone: Signed[] = [];
    for (let at = fork + 1; at <= height; at += 1) {
      undone.push(...(mined.get(at) ?? []));
      mined.delete(at);
    }
    const kept = undone.filter(({ txid }) => !lost.includes(txid));
    const rivals: Signed[] = [];
    for (const txid of lost) {
      const found = revocable.get(txid);
      if (found === undefined) throw new Error(`${txid} cannot be taken back`);
      rivals.push(await found.sender.signRival(found.signed, { to: UNRELATED_ADDRESS, valueWei: 1n }));
    }
    const blocks = divide(reorder(kept, random), height - fork, random);
    // First in the first block that has transactions, so that every log index of that block moves
    // by one.
    const first = blocks.find((each) => each.length > 0) ?? blocks[0];
    first?.unshift(await signLog(), ...rivals);
    if (!isAtOnce || !(await mineAtOnce(height - fork, blocks))) {
      await rollBack(height - fork);
      for (const block of blocks) await mineBlock(block);
    }
    await mineBlock([]);
  }

  /** False when contracts have lost their code on the way, see `rollBack`. */
  async function mineAtOnce(depth: number, blocks: readonly (readonly Signed[])[]): Promise<boolean> {
    const fork = (await anvil.height()) - depth;
    const pairs = blocks.flatMap((block, offset) => block.map(({ raw }) => [raw, offset] as const));
    await anvil.reorg(depth, pairs);
    if (!(await hasCode())) return false;
    for (const [offset, block] of blocks.entries()) await recordBlock(await readBlock(fork + 1 + offset), block);
    return true;
  }

  return {
    pay: (payments, blocks) =>
      queue(async () => {
        for (const part of divide(payments, blocks, random)) {
          const signed: Signed[] = [];
          for (const payment of part) signed.push(await sign(random.pick(senders), payment));
          const firstSeenAt = await mineBlock(signed);
          for (const [index, { txid }] of signed.entries()) {
            const payment = part[index];
            if (payment !== undefined) coins.set(txid, { payment, firstSeenAt });
            await requireSuccess(txid);
          }
        }
      }),
    payRevocably: (payment) =>
      queue(async () => {
        const sender = takeSender(payment.crypto === 'ETH' ? disposable : tokenSenders);
        const signed = await sign(sender, { ...payment, isInternal: false });
        revocable.set(signed.txid, { sender, signed });
        coins.set(signed.txid, { payment, firstSeenAt: await mineBlock([signed]) });
        await requireSuccess(signed.txid);
        return signed.txid;
      }),
    mine: (blocks) =>
      queue(async () => {
        for (let count = 0; count < blocks; count += 1) await mineBlock([]);
      }),
    settle: () =>
      queue(async () => {
        settledHeight = await anvil.height();
      }),
    unsettledBlocks: () => queue(async () => (await anvil.height()) - settledHeight),
    reorganise: (how) => queue(() => undoAndMine(how)),
    async finalCoins() {
      const final = new Map<string, FinalCoins[]>();
      const cryptos = new Map<string, EthereumPayment['crypto']>();
      for (const [txid, { payment, firstSeenAt }] of coins) {
        const { units, crypto } = payment;
        const address = payment.address.toLowerCase();
        cryptos.set(address, crypto);
        const receipt = await anvil.rpc<{ readonly status: string } | null>('eth_getTransactionReceipt', [txid]);
        if (receipt?.status !== '0x1') continue;
        final.set(address, [...(final.get(address) ?? []), { litoshi: units, firstSeenAt }]);
      }
      for (const [address, crypto] of cryptos) {
        const sum = (final.get(address) ?? []).reduce((total, { litoshi }) => total + litoshi, 0n);
        const balance =
          crypto === 'ETH' ? (await anvil.balanceOf(address)) / WEI_PER_UNIT : await token.balanceOf(address);
        if (balance !== sum) throw new Error(`${address} holds ${balance} units of ${crypto}, and was paid ${sum}`);
      }
      return final;
    },
  };
}

// Helpers

interface Block {
  readonly number: string;
  readonly timestamp: string;
  readonly transactions: readonly string[];
}

import type { CryptoSymbol } from '../../../machines/index.ts';
import { UnreadableBalanceError } from '../../../src/chains/evm/node/balances.ts';
import type {
  EvmBlock,
  EvmNode,
  EvmReceipt,
  EvmTransaction,
  TokenTransfer,
} from '../../../src/chains/evm/node/evm-node.ts';
import { LeftChainError } from '../../../src/chains/evm/node/state-at.ts';
import type { Account, Cursor } from '../../../src/chains/index.ts';
import { RetryableError } from '../../../src/platform/errors.ts';

/** A transaction before it is mined, with all its effects. */
export interface FakeTransaction {
  readonly txid: string;
  readonly from: string;
  readonly nonce: number;
  readonly to: string | null;
  readonly valueWei: bigint;
  readonly feeWei: bigint;
  /** Reverted: only its fee is charged. */
  readonly fails: boolean;
  readonly tokens: readonly FakeTransfer[];
  /** Ether that contracts send while it runs; no account is debited. */
  readonly internal: readonly { readonly to: string; readonly valueWei: bigint }[];
}

export interface FakeTransfer {
  readonly token: CryptoSymbol;
  readonly from: string;
  readonly to: string;
  /** Amount in the log, debited from the sender. */
  readonly amountBaseUnits: bigint;
  /** Part of it that the token withholds. */
  readonly keptBaseUnits: bigint;
}

/**
 * A balance change without transaction or log: a validator withdrawal, ether taken by a contract.
 */
export interface SilentChange extends Account {
  readonly baseUnits: bigint;
}

export interface FakeBlock {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly timeSeconds: number;
  readonly transactions: readonly FakeTransaction[];
  readonly silent: readonly SilentChange[];
  /** First log index, as if other logs came before. */
  readonly firstLogIndex: number;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** An in-memory EVM node: a tree of blocks with their states, a best tip, pending transactions. */
export interface FakeEvmNode extends EvmNode {
  /** Answers as the node itself does, unless a test replaces it. */
  readonly second: Writable<EvmNode['second']>;
  readonly calls: Map<string, number>;
  /**
   * Runs before every call the node serves; tests use it to change the chain in the middle of a
   * poll, or to throw.
   */
  beforeCall: ((method: keyof EvmNode) => void) | null;
  isSyncing: boolean;
  finalizedHeight: number | null;
  /** Number of blocks, counted from the tip, whose state can be read. */
  stateBlocks: number;
  /** Whether tracing is supported; `fails`: it is, but returns errors. */
  traces: boolean | 'fails';
  /** Its mempool still lists transactions whose nonce other mined transactions have used. */
  keepsReplaced: boolean;
  /** Tokens whose contracts do not respond. */
  readonly silentTokens: Set<CryptoSymbol>;
  /** Logs that the node has not indexed yet. */
  hidesLog: ((transfer: TokenTransfer) => boolean) | null;
  /** Seconds; used for block times. Advances automatically. */
  timeSeconds: number;
  best(): FakeBlock;
  bestBranch(): readonly FakeBlock[];
  block(hash: string): FakeBlock;
  waiting(): FakeTransaction[];
  /**
   * Adds a pending transaction; replaces one with the same sender and nonce. False when that nonce
   * is already mined.
   */
  submit(transaction: FakeTransaction): boolean;
  drop(txid: string): void;
  /**
   * Builds a block on a parent with those transactions that are valid there. It becomes the tip
   * only through `setBest`.
   */
  build(parentHash: string, transactions: readonly FakeTransaction[], silent?: readonly SilentChange[]): FakeBlock;
  /**
   * Makes a block the tip. Disconnected transactions become pending again when `returns` allows it.
   */
  setBest(hash: string, returns?: (txid: string) => boolean): void;
  /** Mines the pending transactions, or the given ones, on the best tip. */
  mine(transactions?: readonly FakeTransaction[], silent?: readonly SilentChange[]): FakeBlock;
  /** Balance of an account in a block. */
  balance(account: Account, blockHash: string): bigint;
  transfersIn(block: FakeBlock): TokenTransfer[];
}

export const COIN: CryptoSymbol = 'ETH';
export const BLOCK_SPACING_SECONDS = 12;
const START_SECONDS = 1_700_000_000;

export function createFakeEvmNode(): FakeEvmNode {
  const genesis: FakeBlock = {
    height: 0,
    hash: hashOf(0),
    parentHash: `0x${'0'.repeat(64)}`,
    timeSeconds: START_SECONDS,
    transactions: [],
    silent: [],
    firstLogIndex: 0,
  };
  const blocks = new Map<string, FakeBlock>([[genesis.hash, genesis]]);
  const states = new Map<string, ReadonlyMap<string, bigint>>([[genesis.hash, new Map()]]);
  const branches = new Map<string, readonly FakeBlock[]>();
  const calls = new Map<string, number>();
  let tip = genesis;
  let waiting = new Map<string, FakeTransaction>();

  function block(hash: string): FakeBlock {
    const found = blocks.get(hash);
    if (found === undefined) throw new Error(`no block ${hash}`);
    return found;
  }

  /** From genesis up to a block. */
  function branch(from: FakeBlock): readonly FakeBlock[] {
    const known = branches.get(from.hash) ?? walk(from);
    branches.set(from.hash, known);
    return known;
  }

  function walk(from: FakeBlock): FakeBlock[] {
    const found: FakeBlock[] = [];
    for (let at: FakeBlock | undefined = from; at !== undefined; at = blocks.get(at.parentHash)) found.push(at);
    return found.reverse();
  }

  function noncesIn(chain: readonly FakeBlock[]): Set<string> {
    return new Set(chain.flatMap(({ transactions }) => transactions.map(nonceOf)));
  }

  function setBest(hash: string, returns: (txid: string) => boolean = () => true): void {
    const before = branch(tip);
    tip = block(hash);
    const now = branch(tip);
    const nowHashes = new Set(now.map((at) => at.hash));
    const reorged = before.filter((at) => !nowHashes.has(at.hash)).flatMap(({ transactions }) => transactions);
    const used = noncesIn(now);
    const next = new Map<string, FakeTransaction>();
    for (const each of [...reorged.filter(({ txid }) => returns(txid)), ...waiting.values()]) {
      if (used.has(nonceOf(each)) && !(node.keepsReplaced && holderOf(each.txid) === undefined)) continue;
      used.add(nonceOf(each));
      next.set(each.txid, each);
    }
    waiting = next;
  }

  function build(
    parentHash: string,
    transactions: readonly FakeTransaction[],
    silent: readonly SilentChange[] = [],
  ): FakeBlock {
    const parent = block(parentHash);
    const used = noncesIn(branch(parent));
    const state = new Map(states.get(parentHash));
    const valid: FakeTransaction[] = [];
    for (const each of transactions) {
      if (used.has(nonceOf(each)) || !applyTransaction(state, each)) continue;
      used.add(nonceOf(each));
      valid.push(each);
    }
    const happened = silent.filter((change) => move(state, change, change.baseUnits));
    node.timeSeconds += BLOCK_SPACING_SECONDS;
    const built: FakeBlock = {
      height: parent.height + 1,
      hash: hashOf(blocks.size),
      parentHash,
      timeSeconds: node.timeSeconds,
      transactions: valid,
      silent: happened,
      firstLogIndex: blocks.size % 3,
    };
    blocks.set(built.hash, built);
    states.set(built.hash, state);
    return built;
  }

  /** Throws for a block that is not in the best chain. */
  function hasStateOf(at: Cursor): boolean {
    if (branch(tip)[at.height]?.hash !== at.blockHash) throw new LeftChainError(at);
    return tip.height - at.height < node.stateBlocks;
  }

  function holderOf(txid: string): FakeBlock | undefined {
    return branch(tip).find(({ transactions }) => transactions.some((each) => each.txid === txid));
  }

  function receiptOf(txid: string): EvmReceipt | null {
    const holder = holderOf(txid);
    const found = holder?.transactions.find((each) => each.txid === txid);
    if (!holder || !found) return null;
    return {
      txid,
      height: holder.height,
      blockHash: holder.hash,
      succeeded: !found.fails,
      feeWei: found.feeWei,
      tokenTransfers: transfersIn(holder).filter((transfer) => transfer.txid === txid),
    };
  }

  function serve<T>(method: keyof EvmNode, response: () => T): Promise<T> {
    calls.set(method, (calls.get(method) ?? 0) + 1);
    return (async () => {
      node.beforeCall?.(method);
      return response();
    })();
  }

  const node: FakeEvmNode = {
    calls,
    beforeCall: null,
    isSyncing: false,
    finalizedHeight: null,
    stateBlocks: Number.POSITIVE_INFINITY,
    traces: true,
    keepsReplaced: false,
    silentTokens: new Set(),
    readsToken: () => true,
    hidesLog: null,
    timeSeconds: START_SECONDS,
    best: () => tip,
    bestBranch: () => branch(tip),
    block,
    waiting: () => [...waiting.values()],
    submit(transaction) {
      if (noncesIn(branch(tip)).has(nonceOf(transaction))) return false;
      for (const [txid, each] of waiting) if (nonceOf(each) === nonceOf(transaction)) waiting.delete(txid);
      waiting.set(transaction.txid, transaction);
      return true;
    },
    drop: (txid) => void waiting.delete(txid),
    build,
    setBest,
    mine(transactions = [...waiting.values()], silent = []) {
      const built = build(tip.hash, transactions, silent);
      setBest(built.hash);
      return built;
    },
    balance: (account, blockHash) => states.get(blockHash)?.get(accountOf(account)) ?? 0n,
    transfersIn,

    heads: () =>
      serve('heads', () => ({
        latest: { height: tip.height, hash: tip.hash, timeSeconds: tip.timeSeconds },
        finalizedHeight: node.finalizedHeight,
        isSyncing: node.isSyncing,
      })),
    blockHashes: (heights) =>
      serve('blockHashes', () => {
        const chain = branch(tip);
        return heights.map((height) => chain[height]?.hash ?? null);
      }),
    blocks: (heights) =>
      serve('blocks', () => {
        const chain = branch(tip);
        return heights.map((height) => toEvmBlock(chain[height]));
      }),
    tokenTransfers: ({ fromHeight, end, recipients }) =>
      serve('tokenTransfers', () => {
        const chain = branch(tip).slice(fromHeight, end.height + 1);
        if (chain.at(-1)?.hash !== end.blockHash) throw new LeftChainError(end);
        const isListed = (to: string) => recipients === undefined || recipients.includes(to);
        return chain
          .flatMap(transfersIn)
          .filter((transfer) => isListed(transfer.to) && node.hidesLog?.(transfer) !== true);
      }),
    receipts: (txids) => serve('receipts', () => txids.map(receiptOf)),
    transactions: (txids) =>
      serve('transactions', () =>
        txids.map((txid) => {
          const holder = holderOf(txid);
          const found = holder?.transactions.find((each) => each.txid === txid) ?? waiting.get(txid);
          return found === undefined ? null : toEvmTransaction(found, holder?.hash ?? null);
        }),
      ),
    balances: (accounts, at) =>
      serve('balances', () => {
        const silent = accounts.find(({ asset }) => node.silentTokens.has(asset));
        if (silent !== undefined) throw new UnreadableBalanceError(silent, 'it does not answer');
        return hasStateOf(at) ? accounts.map((account) => node.balance(account, at.blockHash)) : null;
      }),
    internalTransfers: (addresses, { blockHash }) =>
      serve('internalTransfers', () => {
        if (node.traces === false) return null;
        if (node.traces === 'fails') throw new RetryableError('NODE_RESPONSE_UNUSABLE', 'internal error');
        const succeeded = block(blockHash).transactions.filter(({ fails }) => !fails);
        const transfers = succeeded.flatMap(({ txid, internal }) =>
          internal.filter(({ to }) => addresses.has(to)).map(({ to, valueWei }) => ({ to, valueWei, txid })),
        );
        return { transfers, txids: new Set(block(blockHash).transactions.map(({ txid }) => txid)) };
      }),
    nonces: (addresses, at) =>
      serve('nonces', () => {
        if (!hasStateOf(at)) return null;
        const chain = branch(block(at.blockHash));
        const sent = chain.flatMap(({ transactions }) => transactions);
        // What takes coins without a transaction of the address was delegated by it (EIP-7702).
        const taken = chain.flatMap(({ silent }) => silent.filter(({ baseUnits }) => baseUnits < 0n));
        return addresses.map((address) =>
          Math.max(
            taken.some(({ watchKey }) => watchKey === address) ? 1 : 0,
            ...sent.filter(({ from }) => from === address).map(({ nonce }) => nonce + 1),
          ),
        );
      }),
    second: {
      balances: (accounts, at) => node.balances(accounts, at),
      tokenTransfers: (range) => node.tokenTransfers(range),
    },
  };
  return node;
}

/** A watched or unwatched address that can only spend what it has. */
export function address(index: number): string {
  return `0xaa${index.toString(16).padStart(38, '0')}`;
}

/** An address with an unlimited balance. */
export function otherAddress(index: number): string {
  return `0xff${index.toString(16).padStart(38, '0')}`;
}

let made = 0;

/**
 * A transaction from another address without effects, overridden by `parts`. Every call makes a new
 * one. /
 */
export function transaction(parts: Partial<FakeTransaction> = {}): FakeTransaction {
  made += 1;
  return {
    txid: `0xdd${made.toString(16).padStart(62, '0')}`,
    from: otherAddress(0),
    nonce: made,
    to: otherAddress(9),
    valueWei: 0n,
    feeWei: 21n,
    fails: false,
    tokens: [],
    internal: [],
    ...parts,
  };
}

/** Ether for one address in a plain transfer. */
export function coins(to: string, valueWei: bigint, parts: Partial<FakeTransaction> = {}): FakeTransaction {
  return transaction({ to, valueWei, ...parts });
}

/** Tokens for one address from another address, in a transaction to the token's contract. */
export function tokens(
  token: CryptoSymbol,
  to: string,
  amountBaseUnits: bigint,
  { from = otherAddress(0), keptBaseUnits = 0n, ...parts }: Partial<FakeTransaction & FakeTransfer> = {},
): FakeTransaction {
  return transaction({
    from,
    ...parts,
    tokens: [{ token, from, to, amountBaseUnits, keptBaseUnits }],
    to: otherAddress(8),
  });
}

/** Ether sent to addresses by a contract: visible only in their balances. */
export function contractCoins(
  internal: readonly { readonly to: string; readonly valueWei: bigint }[],
  parts: Partial<FakeTransaction> = {},
): FakeTransaction {
  return transaction({ to: otherAddress(7), internal, ...parts });
}

// Helpers

function hashOf(number: number): string {
  // The first digits differ, as in real hashes: output names are derived from them.
  return `0xbb${number.toString(16).padStart(14, '0').padEnd(62, '0')}`;
}

function nonceOf({ from, nonce }: FakeTransaction): string {
  return `${from}:${nonce}`;
}

function accountOf({ watchKey, asset }: Account): string {
  return `${watchKey} ${asset}`;
}

function isRich(owner: string): boolean {
  return owner.startsWith(otherAddress(0).slice(0, 20));
}

/** Returns false and changes nothing when the balance is too low. */
function move(state: Map<string, bigint>, account: Account, baseUnits: bigint): boolean {
  if (isRich(account.watchKey)) return true;
  const next = (state.get(accountOf(account)) ?? 0n) + baseUnits;
  if (next < 0n) return false;
  state.set(accountOf(account), next);
  return true;
}

/** Returns false and changes nothing when an account would spend more than it has. */
function applyTransaction(state: Map<string, bigint>, transaction: FakeTransaction): boolean {
  const next = new Map(state);
  const coin = (watchKey: string): Account => ({ watchKey, asset: COIN });
  if (!move(next, coin(transaction.from), -transaction.feeWei)) return false;
  if (!transaction.fails) {
    if (!move(next, coin(transaction.from), -transaction.valueWei)) return false;
    if (transaction.to !== null) move(next, coin(transaction.to), transaction.valueWei);
    for (const { to, valueWei } of transaction.internal) move(next, coin(to), valueWei);
    for (const { token, from, to, amountBaseUnits, keptBaseUnits } of transaction.tokens) {
      if (!move(next, { watchKey: from, asset: token }, -amountBaseUnits)) return false;
      move(next, { watchKey: to, asset: token }, amountBaseUnits - keptBaseUnits);
    }
  }
  for (const [key, value] of next) state.set(key, value);
  return true;
}

function transfersIn(block: FakeBlock): TokenTransfer[] {
  const { height, hash } = block;
  return block.transactions
    .filter(({ fails }) => !fails)
    .flatMap(({ txid, tokens }) => tokens.map((transfer) => ({ txid, transfer })))
    .map(({ txid, transfer: { token, from, to, amountBaseUnits } }, index) => {
      return { token, from, to, amountBaseUnits, txid, logIndex: block.firstLogIndex + index, height, blockHash: hash };
    });
}

function toEvmBlock(block: FakeBlock | undefined): EvmBlock | null {
  if (block === undefined) return null;
  const { height, hash, parentHash, timeSeconds, transactions } = block;
  return {
    height,
    hash,
    parentHash,
    timeSeconds,
    transactions: transactions.map((transaction) => toEvmTransaction(transaction, hash)),
  };
}

function toEvmTransaction(transaction: FakeTransaction, blockHash: string | null): EvmTransaction {
  const { txid, from, to, valueWei, nonce } = transaction;
  return { txid, from, to, valueWei, nonce, blockHash };
}

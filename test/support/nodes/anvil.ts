import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEvmRpc } from '../../../src/chains/evm/rpc/json-rpc.ts';
import { isRecord } from '../../../src/platform/is-record.ts';
import { findAnvil, requireComponent } from '../run/components.ts';

/** A private in-memory Ethereum node on 127.0.0.1. Chains of different starts are unrelated. */
export interface Anvil {
  readonly url: string;
  readonly port: number;
  /** Funded with 10,000 ether each; the node signs for them, and tests can sign with their keys. */
  readonly accounts: readonly AnvilAccount[];
  rpc<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>;
  height(): Promise<number>;
  /** Mines blocks immediately, with timestamps one second apart. */
  mine(blocks?: number): Promise<void>;
  /**
   * Whether every transaction is mined immediately in its own block; otherwise it waits for `mine`.
   */
  setAutomine(isOn: boolean): Promise<void>;
  /**
   * Replaces the newest `depth` blocks by as many others. Their transactions are dropped (they do
   * not return to the mempool); the given ones are mined instead, each in the block at its offset
   * after the fork (0 is the first).
   */
  reorg(
    depth: number,
    transactions?: readonly (readonly [transaction: object | string, offset: number])[],
  ): Promise<void>;
  setBalance(address: string, wei: bigint): Promise<void>;
  balanceOf(address: string): Promise<bigint>;
  /**
   * Sends ether, by default from the first account; with automine it is mined when this resolves.
   */
  send(payment: AnvilPayment): Promise<string>;
  /** Calls a contract like `send`, by default from the first account. Mines reverting calls too. */
  transact(call: {
    readonly to?: string;
    readonly data: string;
    readonly from?: string;
    readonly valueWei?: bigint;
  }): Promise<string>;
  /** Lets the node sign for any address, even a contract's, for a payment "by a contract". */
  impersonate(address: string): Promise<void>;
  /** Timestamp of the next block, in Unix seconds. */
  setNextBlockTimestamp(seconds: number): Promise<void>;
  /** Saves the state of the whole chain; returns an id for `revert`, which works once. */
  snapshot(): Promise<string>;
  revert(snapshotId: string): Promise<void>;
  stop(): Promise<void>;
}

export interface AnvilAccount {
  /** In lower case. */
  readonly address: string;
  readonly privateKey: string;
}

export interface AnvilPayment {
  readonly to: string;
  readonly valueWei: bigint;
  readonly from?: string;
  readonly nonce?: number;
  readonly maxFeePerGas?: bigint;
}

export interface AnvilOptions {
  /** Default 31337, the chain id of `ethereum-regtest`. */
  readonly chainId?: number;
  /** 1 finalises blocks two behind the tip; the default (32) finalises blocks 64 behind it. */
  readonly slotsInAnEpoch?: number;
  /** Default true. */
  readonly automine?: boolean;
  /** Default: a free one. Pass a stopped node's port to replace that node. */
  readonly port?: number;
  /** Deploys Multicall3 at its usual address, which private chains lack. */
  readonly multicall3?: boolean;
  /** Keeps the state of the newest blocks only, as nodes without an archive do. */
  readonly prunesHistory?: boolean;
  /** Called with the process id once the node has started. */
  readonly onProcess?: (pid: number) => void;
}

export const MULTICALL3_ADDRESS = '0xca11bde05977b3631167028862be2a173976ca11';

const START_TIMEOUT_MS = 30_000;
const CALL_GAS = 8_000_000;
const MINED_WITHIN_MS = 10_000;
const POLL_INTERVAL_MS = 2;

export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  requireComponent('anvil');
  const binary = findAnvil() ?? '';
  // The package's own command is a Node wrapper; killing it would leave the real node running.
  const child = spawn(binary, commandLine(options), { stdio: ['ignore', 'pipe', 'pipe'] });
  const killNow = () => void child.kill('SIGKILL');
  process.on('exit', killNow);
  if (child.pid !== undefined) options.onProcess?.(child.pid);
  const { port, keys } = await readGreeting(child).catch((error: unknown) => {
    killNow();
    throw error;
  });
  const url = `http://127.0.0.1:${port}`;
  const client = createEvmRpc({ url });

  async function rpc<T = unknown>(method: string, params: readonly unknown[] = []): Promise<T> {
    return (await client.call(method, params)) as T;
  }

  const addresses = (await rpc<string[]>('eth_accounts')).map((address) => address.toLowerCase());
  const accounts = addresses.map((address, index) => ({ address, privateKey: keys[index] ?? '' }));
  const [first = ''] = addresses;

  let mines = options.automine !== false;

  /**
   * The node returns the id before it has mined the block. A transaction with an explicit nonce may
   * wait for others.
   */
  async function sendTransaction(transaction: Readonly<Record<string, string>>): Promise<string> {
    const txid = await rpc<string>('eth_sendTransaction', [transaction]);
    const giveUpAt = Date.now() + MINED_WITHIN_MS;
    while (mines && transaction.nonce === undefined && (await rpc('eth_getTransactionReceipt', [txid])) === null) {
      if (Date.now() > giveUpAt) throw new Error(`anvil did not mine ${txid}`);
      await sleep(POLL_INTERVAL_MS);
    }
    return txid;
  }

  const anvil: Anvil = {
    url,
    port,
    accounts,
    rpc,
    height: async () => Number(await rpc<string>('eth_blockNumber')),
    mine: (blocks = 1) => rpc('anvil_mine', [hex(blocks), hex(1)]),
    async setAutomine(isOn) {
      await rpc('evm_setAutomine', [isOn]);
      mines = isOn;
    },
    reorg: (depth, transactions = []) => rpc('anvil_reorg', [depth, transactions]),
    setBalance: (address, wei) => rpc('anvil_setBalance', [address, hex(wei)]),
    balanceOf: async (address) => BigInt(await rpc<string>('eth_getBalance', [address, 'latest'])),
    send: ({ to, valueWei, from = first, nonce, maxFeePerGas }) =>
      sendTransaction({
        from,
        to,
        value: hex(valueWei),
        ...(nonce === undefined ? {} : { nonce: hex(nonce) }),
        ...(maxFeePerGas === undefined
          ? {}
          : { maxFeePerGas: hex(maxFeePerGas), maxPriorityFeePerGas: hex(maxFeePerGas) }),
      }),
    transact: ({ to, data, from = first, valueWei = 0n }) =>
      // With an explicit gas limit the node does not simulate the call first, and so mines
      // reverting calls.
      sendTransaction({ from, data, value: hex(valueWei), gas: hex(CALL_GAS), ...(to === undefined ? {} : { to }) }),
    impersonate: (address) => rpc('anvil_impersonateAccount', [address]),
    setNextBlockTimestamp: (seconds) => rpc('evm_setNextBlockTimestamp', [hex(seconds)]),
    snapshot: () => rpc('evm_snapshot'),
    async revert(snapshotId) {
      if (!(await rpc<boolean>('evm_revert', [snapshotId]))) throw new Error(`no snapshot ${snapshotId}`);
    },
    async stop() {
      process.off('exit', killNow);
      await client.close();
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
  if (options.multicall3 === true) {
    try {
      await rpc('anvil_setCode', [MULTICALL3_ADDRESS, await multicall3Code(anvil)]);
    } catch (error) {
      await anvil.stop();
      throw error;
    }
  }
  return anvil;
}

// Helpers

function commandLine({ chainId, slotsInAnEpoch, automine, port, prunesHistory }: AnvilOptions): string[] {
  return [
    '--host',
    '127.0.0.1',
    '--port',
    String(port ?? 0),
    ...(chainId === undefined ? [] : ['--chain-id', String(chainId)]),
    ...(slotsInAnEpoch === undefined ? [] : ['--slots-in-an-epoch', String(slotsInAnEpoch)]),
    ...(automine === false ? ['--no-mining'] : []),
    ...(prunesHistory === true ? ['--prune-history'] : []),
  ];
}

/** Parses the node's startup output: the keys of its accounts, then the port. */
async function readGreeting(child: ReturnType<typeof spawn>): Promise<{ port: number; keys: readonly string[] }> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('anvil was started without pipes');
  const lines = createInterface({ input: stdout });
  const complaints: string[] = [];
  stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  const timer = setTimeout(() => lines.close(), START_TIMEOUT_MS);
  const keys: string[] = [];
  try {
    for await (const line of lines) {
      const key = /^\(\d+\) (0x[0-9a-f]{64})$/.exec(line)?.[1];
      if (key !== undefined) keys.push(key);
      const port = /^Listening on 127\.0\.0\.1:(\d+)$/.exec(line)?.[1];
      if (port !== undefined) return { port: Number(port), keys };
    }
  } finally {
    clearTimeout(timer);
    // The node keeps logging requests; an unread pipe would fill up and block it.
    stdout.resume();
  }
  throw new Error(`anvil did not start: ${complaints.join('').trim() || 'it said nothing'}`);
}

/** Runtime code of Multicall3: viem contains its creation code but does not export it. */
async function multicall3Code(anvil: Anvil): Promise<string> {
  const constants: unknown = await import(new URL('./constants/contracts.js', import.meta.resolve('viem')).href);
  const bytecode = isRecord(constants) ? constants.multicall3Bytecode : undefined;
  if (typeof bytecode !== 'string') throw new Error('this version of viem keeps the code of Multicall3 elsewhere');
  const snapshotId = await anvil.snapshot();
  const txid = await anvil.transact({ data: bytecode });
  await anvil.mine();
  const receipt = await anvil.rpc<{ readonly contractAddress: string }>('eth_getTransactionReceipt', [txid]);
  const code = await anvil.rpc<string>('eth_getCode', [receipt.contractAddress, 'latest']);
  await anvil.revert(snapshotId);
  return code;
}

function hex(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBitcoindRpc } from '../../../src/chains/index.ts';
import { findFreePort } from '../free-port.ts';
import { LITECOIND_PATH, requireComponent } from '../run/components.ts';

/** A private Litecoin regtest node on 127.0.0.1, with a wallet, in a temporary directory. */
export interface Litecoind {
  /** RPC URL with user and password, as the service expects it. */
  readonly rpcUrl: string;
  /** Calls any RPC method and returns its `result`. `wallet` selects another than the default. */
  rpc<T = unknown>(method: string, params?: readonly unknown[], wallet?: string): Promise<T>;
  /** Mines blocks to an address (by default the wallet's) and returns their hashes. */
  mine(blocks: number, address?: string): Promise<string[]>;
  /** A new bech32 address of the wallet, with its output script in hex. */
  newAddress(): Promise<{ readonly address: string; readonly scriptHex: string }>;
  /** Flushes the chain to disk, then kills the node with SIGKILL; its data and port stay. */
  kill(): Promise<void>;
  /** Starts it again on the same data. */
  restart(): Promise<void>;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

export interface LitecoindOptions {
  /**
   * Activates MWEB (at block 432, so this mines that many blocks); otherwise MWEB never activates.
   */
  readonly mweb?: boolean;
  /** Mines 101 blocks so that the wallet has spendable coins; default true. */
  readonly funded?: boolean;
  /**
   * Returns raw transactions and blocks without witnesses and MWEB, as a coin without either does.
   */
  readonly plainBytes?: boolean;
  /** Called with its process id and data folder each time it starts. */
  readonly onProcess?: (pid: number, folder: string) => void;
}

const WALLET = 'main';
const COINBASE_MATURITY_BLOCKS = 100;
const MWEB_ACTIVATION_HEIGHT = 432;
const START_TIMEOUT_MS = 30_000;
const POLL_INTERVAL_MS = 20;

export async function startLitecoind(options: LitecoindOptions = {}): Promise<Litecoind> {
  requireComponent('litecoind');
  const port = await findFreePort();
  const folder = await mkdtemp(join(tmpdir(), 'quittance-litecoind-'));
  const rpcUrl = `http://user:password@127.0.0.1:${port}/`;
  const clients = new Map<string, ReturnType<typeof createBitcoindRpc>>();
  let child: ReturnType<typeof spawn> | undefined;
  const killNow = () => void child?.kill('SIGKILL');

  async function rpc<T = unknown>(method: string, params: readonly unknown[] = [], wallet = WALLET): Promise<T> {
    let client = clients.get(wallet);
    if (client === undefined) {
      client = createBitcoindRpc({ url: `${rpcUrl}wallet/${wallet}` });
      clients.set(wallet, client);
    }
    return (await client.call(method, params)) as T;
  }

  async function launch(): Promise<void> {
    const launched = spawn(LITECOIND_PATH, commandLine(folder, port, options), { stdio: 'ignore' });
    child = launched;
    if (launched.pid !== undefined) options.onProcess?.(launched.pid, folder);
    process.on('exit', killNow);
    const node = createBitcoindRpc({ url: rpcUrl });
    const giveUpAt = Date.now() + START_TIMEOUT_MS;
    try {
      for (;;) {
        const responded = await node.call('getblockcount').catch((error: Error) => error);
        if (!(responded instanceof Error)) return;
        if (Date.now() > giveUpAt || launched.exitCode !== null || launched.signalCode !== null) {
          throw new Error(`litecoind did not start on port ${port}: ${responded.message}`);
        }
        await sleep(POLL_INTERVAL_MS);
      }
    } finally {
      await node.close();
    }
  }

  async function end(): Promise<void> {
    const ending = child;
    child = undefined;
    process.off('exit', killNow);
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    ending.kill('SIGKILL');
    await once(ending, 'exit');
  }

  async function mine(blocks: number, address?: string): Promise<string[]> {
    const to = address ?? (await rpc<string>('getnewaddress', ['', 'bech32']));
    return rpc<string[]>('generatetoaddress', [blocks, to]);
  }

  /**
   * The block that activates MWEB must move coins into it; otherwise no further block can be mined.
   */
  async function activateMweb(): Promise<void> {
    const height = await rpc<number>('getblockcount');
    await mine(MWEB_ACTIVATION_HEIGHT - 1 - height);
    const hidden = await rpc<string>('getnewaddress', ['', 'mweb']);
    await rpc('sendtoaddress', [hidden, 1]);
    await mine(1);
  }

  const litecoind: Litecoind = {
    rpcUrl,
    rpc,
    mine,
    async newAddress() {
      const address = await rpc<string>('getnewaddress', ['', 'bech32']);
      const { scriptPubKey } = await rpc<{ readonly scriptPubKey: string }>('getaddressinfo', [address]);
      return { address, scriptHex: scriptPubKey };
    },
    async kill() {
      // This call flushes the chain state to disk; without it a crash would lose the blocks of the
      // last minutes.
      await rpc('gettxoutsetinfo');
      await end();
    },
    restart: launch,
    async stop() {
      await end();
      for (const client of clients.values()) await client.close();
      await rm(folder, { recursive: true, force: true });
    },
  };

  try {
    await launch();
    const loadOnStartup = true;
    await rpc('createwallet', [WALLET, false, false, '', false, false, loadOnStartup], '');
    if (options.funded !== false) await mine(COINBASE_MATURITY_BLOCKS + 1);
    if (options.mweb === true) await activateMweb();
    return litecoind;
  } catch (error) {
    await litecoind.stop();
    throw error;
  }
}

function commandLine(folder: string, port: number, { mweb, plainBytes }: LitecoindOptions): string[] {
  const never = '-vbparams=mweb:999999999998:999999999999';
  return [
    '-regtest',
    `-datadir=${folder}`,
    '-server=1',
    '-listen=0',
    '-listenonion=0',
    '-dnsseed=0',
    '-discover=0',
    '-connect=0',
    '-rpcbind=127.0.0.1',
    '-rpcallowip=127.0.0.1',
    `-rpcport=${port}`,
    '-rpcuser=user',
    '-rpcpassword=password',
    '-txindex=1',
    '-fallbackfee=0.0001',
    '-keypool=10',
    // Litecoin disables transaction replacement by default; other coins do not, and tests need it.
    '-mempoolreplacement=1',
    '-printtoconsole=0',
    ...(mweb === true ? [] : [never]),
    ...(plainBytes === true ? ['-rpcserialversion=0'] : []),
  ];
}

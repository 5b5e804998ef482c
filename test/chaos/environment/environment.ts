import { join } from 'node:path';
import { createWorld, type World } from '../../../demo/world.ts';
import { type Connection, connect } from '../../../src/platform/db/index.ts';
import { type DeployedToken, deployToken } from '../../support/contracts/deploy.ts';
import { postgresAccount } from '../../support/database/postgres-cluster.ts';
import { findFreePort } from '../../support/free-port.ts';
import { type Anvil, startAnvil } from '../../support/nodes/anvil.ts';
import { startLitecoind } from '../../support/nodes/litecoind.ts';
import { bundle } from '../../support/run/bundled.ts';
import { canNatsSyncEachMessage } from '../../support/run/nats-version.ts';
import { type Fleet, type MemberPlan, type Role, startFleet } from './fleet.ts';
import { createLine, type Line } from './line.ts';
import { type Merchant, provisionMerchant } from './merchant.ts';
import { createOwnNats, type OwnNats } from './own-nats.ts';
import { createOwnPostgres, type OwnPostgres } from './own-postgres.ts';
import type { Reaper } from './reaper.ts';
import { type Receivers, startReceivers } from './receivers.ts';
import { createRpcProxy, type RpcProxy } from './rpc-proxy.ts';
import { createServerDisk, type ServerDisk } from './server-disk.ts';

/** The environment of a run; all of it belongs to the run. */
export interface Environment {
  readonly folder: string;
  readonly world: World;
  readonly anvil: Anvil;
  /** The contract configured as WBTC. */
  readonly token: DeployedToken;
  readonly postgres: OwnPostgres;
  readonly nats: OwnNats;
  readonly disks: { readonly postgres: ServerDisk; readonly nats: ServerDisk };
  /** In front of the nodes: every process reaches the nodes through them. */
  readonly proxies: { readonly litecoin: RpcProxy; readonly ethereum: RpcProxy };
  readonly fleet: Fleet;
  readonly merchant: Merchant;
  readonly receivers: Receivers;
  /**
   * A direct connection for the workload and the checker; only faults of the server itself affect
   * it. /
   */
  connectDatabase(): Promise<Connection>;
  /** Advances the clock of the node and of every process of the service. */
  advance(byMs: number): Promise<void>;
  /** Makes the nodes unreachable for every process, or reachable again. */
  cutNode(): void;
  restoreNode(): void;
}

const DISK_MEGABYTES = 4_096;
const ROLES: readonly Role[] = ['api', 'api', 'worker', 'worker', 'watcher', 'watcher'];
const SECRETS_KEY = '42'.repeat(32);
/** USD per coin: payments cost a few tenths of a coin. */
const USD_PER_COIN = '80';
/** Decimals of WBTC, so that a share of a coin has the same base units for every coin but Ether. */
const TOKEN_DECIMALS = 8;

export async function createEnvironment(deps: {
  folder: string;
  servers: string;
  seed: number;
  reaper: Reaper;
}): Promise<Environment> {
  const { folder, servers, seed, reaper } = deps;
  const disk = (name: string, owner: ReturnType<typeof postgresAccount>) =>
    createServerDisk({ folder: join(servers, name), megabytes: DISK_MEGABYTES, owner, reaper });
  const disks = { postgres: await disk('postgres', postgresAccount()), nats: await disk('nats', null) };
  const [postgres, nats, node, receivers, anvil] = await Promise.all([
    createOwnPostgres({ disk: disks.postgres, logFile: join(folder, 'postgres.log'), reaper }),
    createOwnNats({
      disk: disks.nats,
      logFile: join(folder, 'nats.log'),
      reaper,
      // Same as deploy/nats/nats.conf, where the NATS version supports it.
      isSynced: canNatsSyncEachMessage(),
    }),
    startLitecoind({
      onProcess(pid, data) {
        reaper.process(pid, 'SIGKILL');
        reaper.folder(data);
      },
    }),
    startReceivers(seed),
    startAnvil({ onProcess: (pid) => reaper.process(pid, 'SIGKILL') }),
  ]);
  // initdb did not sync, and the cluster must survive a power cut.
  disks.postgres.power?.sync();
  const world = createWorld(node);
  const token = await deployToken(anvil, { decimals: TOKEN_DECIMALS });
  const proxies = { litecoin: await createRpcProxy(node.rpcUrl), ethereum: await createRpcProxy(anvil.url) };
  const env = {
    SECRETS_KEY,
    PLANS: 'off',
    LTC_NETWORK: 'regtest',
    ETH_NETWORK: 'regtest',
    ETH_TOKENS: JSON.stringify({ WBTC: token.address }),
    RATES_FIXED: JSON.stringify({ LTC: USD_PER_COIN, ETH: USD_PER_COIN, WBTC: USD_PER_COIN }),
    RATES_SOURCES: 'none',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    PUBLIC_URL: 'http://127.0.0.1:1',
  };
  const merchant = provisionMerchant({
    folder,
    env: { ...env, DATABASE_URL: postgres.url, LTC_RPC_URL: node.rpcUrl, ETH_RPC_URL: anvil.url },
    receivers,
  });

  async function planMember(role: Role, index: number): Promise<MemberPlan> {
    const name = `${role}-${(index % 2) + 1}`;
    const lines = {
      postgres: await createLine(`${name} to Postgres`, postgres),
      nats: await createLine(`${name} to NATS`, nats),
      node: await createLine(`${name} to the Litecoin node`, proxies.litecoin),
      ethereum: await createLine(`${name} to the Ethereum node`, proxies.ethereum),
    };
    const port = await findFreePort();
    return {
      name,
      role,
      url: role === 'api' ? `http://127.0.0.1:${port}` : null,
      lines,
      env: {
        ...env,
        ROLES: role,
        PORT: String(port),
        DATA_DIR: join(folder, name),
        DATABASE_URL: over(postgres.url, lines.postgres),
        NATS_URL: `nats://127.0.0.1:${lines.nats.port}`,
        LTC_RPC_URL: over(node.rpcUrl, lines.node),
        ETH_RPC_URL: over(anvil.url, lines.ethereum),
      },
    };
  }
  const plans: MemberPlan[] = [];
  for (const [index, role] of ROLES.entries()) plans.push(await planMember(role, index));
  // A process is killed every few seconds, and most of the CPU time of a start goes into modules.
  const program = await bundle('test/chaos/environment/service-process.ts');
  const fleet = startFleet({ program, plans, folder, reaper });
  const nodeLines = plans.flatMap(({ lines }) => [lines.node, lines.ethereum]);
  let aheadMs = 0;

  return {
    folder,
    world,
    anvil: unaskedWhileMining(anvil, proxies.ethereum),
    token,
    proxies,
    postgres,
    nats,
    disks,
    fleet,
    merchant,
    receivers,
    connectDatabase: () => connect({ url: postgres.url, dataDir: null, poolSize: 4 }),
    async advance(byMs) {
      world.advance(byMs);
      aheadMs += byMs;
      fleet.setClock(aheadMs);
      await world.reportToNode();
    },
    cutNode() {
      for (const line of nodeLines) line.cut();
    },
    restoreNode() {
      for (const line of nodeLines) line.repair();
    },
  };
}

// Helpers

/**
 * While anvil mines a block, it answers for the state of the block before with that of the new one,
 * even when it is asked by hash. A balance would then be found a block early, and again in its own.
 */
function unaskedWhileMining(anvil: Anvil, { hold }: Pick<RpcProxy, 'hold'>): Anvil {
  return {
    ...anvil,
    mine: (...blocks) => hold(() => anvil.mine(...blocks)),
    reorg: (...how) => hold(() => anvil.reorg(...how)),
  };
}

function over(url: string, line: Line): string {
  const through = new URL(url);
  through.port = String(line.port);
  return through.href;
}

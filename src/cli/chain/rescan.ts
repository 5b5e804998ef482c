import type { RescanRange, RescanResult } from '../../chains/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Config, loadConfig, type NodeConfig, publicUrlOf } from '../../platform/config/index.ts';
import { actorQueue, createBusHandler } from '../../platform/engine/index.ts';
import { createLogger } from '../../platform/log.ts';
import { loadSecretKey } from '../../platform/secrets/index.ts';
import { createTokens } from '../../recurring/index.ts';
import { createRuntime, type Runtime } from '../../service/runtime.ts';
import { createChainWatcher } from '../../service/watchers/create-chain-watcher.ts';
import { networkName } from '../../wallets/index.ts';
import { type AuditedCommand, asAuditedAction } from '../audited-action.ts';
import { usage } from '../options.ts';
import { printResult } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { ChainValues } from './commands.ts';
import { rescanInParts } from './rescan-in-parts.ts';

/**
 * Few enough blocks to show progress, many enough that catching up with the tip first costs little.
 */
const BLOCKS_PER_PART = 50;
/** Maximum concurrent events of one partition in the engine, enough to fill its batches. */
const EVENTS_IN_FLIGHT = 64;

/**
 * `quittance chain rescan`: reads blocks again and delivers their outputs to payments. Can run
 * while the service runs. With NATS, the workers of the service process the events; without, this
 * process does, and the service sends the resulting webhooks within half a minute.
 */
export async function chainRescan(options: ChainValues['rescan']): Promise<void> {
  const config = loadConfig(process.env);
  const node = findNode(config, options.network);
  // Standard output is reserved for the result.
  const log = createLogger({ level: 'warn', destination: process.stderr });
  const publicUrl = publicUrlOf(config, config.port);
  await withDatabase(config, async (db) => {
    const runtime = createRuntime({
      config,
      db,
      clock: systemClock,
      log,
      publicUrl,
      tokens: createTokens(await loadSecretKey(config)),
    });
    const chain = createChainWatcher({ runtime, db, clock: systemClock, log, publicUrl }, node);
    try {
      if (config.nats.url === null) await deliverHere(runtime);
      const {
        fromHeight: from,
        toHeight: to,
        outputs,
      } = await asAuditedAction(db, auditedOf(options), () =>
        rescanInParts(chain.watcher, {
          fromHeight: options.from,
          toHeight: options.to,
          blocksPerPart: BLOCKS_PER_PART,
          onPart: printProgress,
        }),
      );
      printResult(options.json, { network: chain.network, from, to, outputs }, () => {
        return `${chain.network}: rescanned blocks ${from} to ${to}; outputs to addresses of this service: ${outputs}`;
      });
    } finally {
      await chain.close();
      await runtime.engine.drain();
      const relayed = runtime.relay.stop();
      await runtime.bus.close();
      await relayed;
    }
  });
}

// Helpers

function auditedOf({ network, from, to }: ChainValues['rescan']): AuditedCommand {
  return { command: 'chain rescan', what: 'network.rescanned', subjectId: network, details: { from, to } };
}

function findNode({ nodes }: Config, network: string): NodeConfig {
  const names = nodes.map((node) => networkName(node.chain, node.networkKind));
  const node = nodes[names.indexOf(network)];
  if (node !== undefined) return node;
  const known = names.length === 0 ? 'none: set LTC_NETWORK and LTC_RPC_URL, for example' : names.join(', ');
  throw usage(`chain rescan: --network must be a configured network (${known})`);
}

/** Without NATS, no other process receives what this one publishes. */
async function deliverHere({ bus, engine }: Runtime): Promise<void> {
  const queue = actorQueue('transaction');
  await bus.subscribe({ queue, maxInFlightPerPartition: EVENTS_IN_FLIGHT }, createBusHandler(engine));
}

function printProgress({ fromHeight, toHeight, outputs }: RescanRange & RescanResult): void {
  process.stderr.write(`blocks ${fromHeight} to ${toHeight}: ${outputs} found\n`);
}

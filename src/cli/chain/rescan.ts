import { setTimeout as sleep } from 'node:timers/promises';
import type { RescanRange, RescanResult, Watcher } from '../../chains/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Config, loadConfig, type NodeConfig, publicUrlOf } from '../../platform/config/index.ts';
import { actorQueue, createBusHandler } from '../../platform/engine/index.ts';
import { RetryableError, TerminalError } from '../../platform/errors.ts';
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

interface RescanOptions {
  readonly fromHeight: number;
  /** Null: the newest block when the rescan begins. */
  readonly toHeight: number | null;
  readonly blocksPerPart: number;
  /** Called after each part. */
  readonly onPart: (done: RescanRange & RescanResult) => void;
}

/**
 * Rescans a range part by part, so that progress is visible and a failure repeats only one part.
 * Throws a `TerminalError` `USAGE` for heights the chain does not have, and what the watcher
 * throws.
 */
export async function rescanInParts(watcher: Watcher, options: RescanOptions): Promise<RescanRange & RescanResult> {
  const { fromHeight, blocksPerPart, onPart } = options;
  await untilItPasses(() => watcher.step());
  const { tipHeight } = watcher.status();
  const toHeight = options.toHeight ?? tipHeight ?? 0;
  if (tipHeight === null || toHeight > tipHeight || fromHeight > toHeight) {
    throw new TerminalError(
      'USAGE',
      `blocks ${fromHeight} to ${toHeight} do not exist: ${watcher.network} has blocks 0 to ${tipHeight}`,
    );
  }
  let outputs = 0;
  for (let start = fromHeight; start <= toHeight; start += blocksPerPart) {
    const part = { fromHeight: start, toHeight: Math.min(start + blocksPerPart - 1, toHeight) };
    const result = await untilItPasses(() => watcher.rescan(part));
    outputs += result.outputs;
    onPart({ ...part, ...result });
  }
  return { fromHeight, toHeight, blocks: toHeight - fromHeight + 1, outputs };
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

/**
 * Consecutive failures of one part. A service that watches the same network and this process take
 * the lease from each other, with longer waits each time, and the tip may move. A part normally
 * succeeds well before this limit.
 */
const MAX_FAILURES_OF_PART = 10;

/** Errors that a retry resolves. All others are thrown immediately. */
const PASSING_CODES = new Set(['WATCHER_FENCED', 'TIP_MOVED', 'STATE_MISSING']);

async function untilItPasses<T>(work: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      const passes = error instanceof RetryableError && PASSING_CODES.has(error.code);
      if (!passes || failures === MAX_FAILURES_OF_PART) throw error;
      await sleep(error.retryAfterMs);
    }
  }
}

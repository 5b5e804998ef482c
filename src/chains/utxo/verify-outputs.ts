import { RetryableError } from '../../platform/errors.ts';
import type { Cursor, TrackedOutput, VerifyRequest } from '../port.ts';
import type { WatcherMemory } from '../sync/memory.ts';
import type { Finding } from '../sync/reporter.ts';
import { whileOutputsAreReadable } from '../unreadable-outputs.ts';
import { locateOutputs } from './locate-outputs.ts';
import type { PollDeps, PollResult } from './poll.ts';

/** Maximum attempts of a verification, which starts over when the tip moves. */
const VERIFY_ROUNDS = 6;

/**
 * Reports the current status of each output. Memory is not trusted: the block at the output's
 * height is read again and must contain that output. `poll` polls up to the tip, and the tip must
 * be unchanged once all outputs are found. Throws a `RetryableError` `NODE_SYNCING` or `TIP_MOVED`.
 */
export async function verifyOutputs(
  deps: PollDeps,
  memory: WatcherMemory,
  request: VerifyRequest,
  poll: () => Promise<PollResult>,
): Promise<void> {
  for (let round = 1; round <= VERIFY_ROUNDS; round += 1) {
    const { caughtUp } = await poll();
    const tip = memory.chain.tip();
    if (!caughtUp || tip === null) {
      throw new RetryableError('NODE_SYNCING', 'cannot verify until the node has synced');
    }
    const { findings, sawOtherBranch } = await whileOutputsAreReadable(() =>
      locateOutputs(deps, memory, request.outputs, tip.height),
    );
    if (sawOtherBranch || (await deps.node.bestBlockHash()) !== tip.blockHash) continue;
    await adopt(deps, memory, findings, tip);
    await deps.reporter.report(memory, findings, { isForced: true });
    return;
  }
  throw new RetryableError('TIP_MOVED', 'the tip changed during every attempt to verify outputs');
}

/**
 * Adds outputs that no scanned block holds, because their key was not watched yet, to their block
 * in memory and in the store, so that they are tracked if a reorg removes the block. Runs before
 * the report, so that a crash cannot lose a reported output.
 */
export async function adopt(
  deps: PollDeps,
  memory: WatcherMemory,
  responses: readonly Finding[],
  tip: Cursor,
): Promise<void> {
  const missing = new Map<number, TrackedOutput[]>();
  for (const { output, status } of responses) {
    if (!('height' in status) || memory.chain.find(output.outputId) !== null) continue;
    if (memory.chain.at(status.height) === null) continue;
    const here = missing.get(status.height);
    if (here === undefined) missing.set(status.height, [output]);
    else here.push(output);
  }
  for (const [height, outputs] of missing) memory.chain.adopt(height, outputs);
  if (missing.size === 0) return;
  const lowest = Math.min(...missing.keys());
  await deps.reporter.saveProgress(memory, {
    forkHeight: lowest - 1,
    blocks: memory.chain.above(lowest - 1),
    cursor: { height: tip.height, blockHash: tip.blockHash },
    tipHeight: tip.height,
    syncedUntil: null,
  });
}

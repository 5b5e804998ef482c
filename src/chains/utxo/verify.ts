import { RetryableError } from '../../errors.ts';
import type { WatcherMemory } from '../following/memory.ts';
import type { Finding } from '../following/reporter.ts';
import type { Cursor, TrackedOutput, VerifyRequest } from '../port.ts';
import { whileOutputsAreReadable } from '../unreadable-outputs.ts';
import type { LookDeps, LookResult } from './look.ts';
import { findPlaces } from './places.ts';

/** Times an answer is worked out anew because the tip moved under it. */
const VERIFY_ROUNDS = 6;

/**
 * Answers with the standing of each output now. Nothing remembered is trusted: the block at the output's height is
 * read again and must hold the very output. `look` brings the memory up to the tip; the tip must still be the same
 * when all answers are found.
 */
export async function verifyOutputs(
  deps: LookDeps,
  memory: WatcherMemory,
  request: VerifyRequest,
  look: () => Promise<LookResult>,
): Promise<void> {
  for (let round = 1; round <= VERIFY_ROUNDS; round += 1) {
    const { caughtUp } = await look();
    const tip = memory.chain.tip();
    if (!caughtUp || tip === null) {
      throw new RetryableError('NODE_SYNCING', 'verification waits until the node has caught up with its network');
    }
    const { findings, sawOtherBranch } = await whileOutputsAreReadable(() =>
      findPlaces(deps, memory, request.outputs, tip.height),
    );
    if (sawOtherBranch || (await deps.node.bestBlockHash()) !== tip.blockHash) continue;
    await adopt(deps, memory, findings, tip);
    await deps.reporter.report(memory, findings, { isAsked: true });
    return;
  }
  throw new RetryableError('TIP_MOVED', 'the tip kept moving while outputs were verified');
}

/**
 * An output that was in a block before anyone watched it is added to that block, here and in the store, so that it
 * is followed when the block falls. Done before the answer is given: an answer must not be forgotten in a crash.
 */
export async function adopt(
  deps: LookDeps,
  memory: WatcherMemory,
  answers: readonly Finding[],
  tip: Cursor,
): Promise<void> {
  const missing = new Map<number, TrackedOutput[]>();
  for (const { output, standing } of answers) {
    if (!('height' in standing) || memory.chain.find(output.outputId) !== null) continue;
    if (memory.chain.at(standing.height) === null) continue;
    const here = missing.get(standing.height);
    if (here === undefined) missing.set(standing.height, [output]);
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
    lookedUntil: null,
  });
}

import { RetryableError } from '../../platform/errors.ts';
import type { Cursor, OutputStatus, TrackedOutput, VerifyRequest } from '../port.ts';
import type { Finding } from '../sync/reporter.ts';
import { UnreadableOutputsError, whileOutputsAreReadable } from '../unreadable-outputs.ts';
import { accountKey } from './balance-check/account-flows.ts';
import type { EvmMemory } from './evm-memory.ts';
import { unlessLeftChain } from './node/state-at.ts';
import { replaceReported } from './outputs/attribute-late.ts';
import { saveLate } from './outputs/late.ts';
import { outputKind } from './outputs/output-id.ts';
import { findProvenOutputs } from './outputs/proven-outputs.ts';
import { findUnproven, type Unproven } from './outputs/unproven.ts';
import { locateOutputs } from './outputs/unsettled.ts';
import type { PollDeps, PollResult } from './poll.ts';

/** Maximum number of rounds: responses are recomputed when the tip changes. */
const VERIFY_ROUNDS = 6;

/**
 * Reports the current status of each requested output. Nothing in memory is trusted: the receipt is
 * read again and must be of a successful transaction in a block of the best chain, with that very
 * transfer. `poll` polls up to the tip, which must still be in the best chain when all responses
 * are found. An output whose absence proves nothing gets no response: its payment requests it
 * again. Throws `RetryableError` `NODE_SYNCING` or `TIP_MOVED`, and `UnreadableOutputsError`, also
 * when no round succeeded although the tip stayed in the best chain.
 */
export async function verifyOutputs(
  deps: PollDeps,
  memory: EvmMemory,
  request: VerifyRequest,
  poll: () => Promise<PollResult>,
): Promise<void> {
  let hasTipMoved = false;
  for (let round = 1; round <= VERIFY_ROUNDS; round += 1) {
    const { caughtUp } = await poll();
    const tip = memory.chain.tip();
    if (!caughtUp || tip === null) {
      throw new RetryableError('NODE_SYNCING', 'cannot verify until the newest block of the network was polled');
    }
    const isLast = round === VERIFY_ROUNDS;
    const found = await whileOutputsAreReadable(() => unlessLeftChain(findResponses(deps, memory, request, tip)));
    const [tipHash] = await deps.node.blockHashes([tip.height]);
    hasTipMoved = tipHash !== tip.blockHash;
    if (found === null || hasTipMoved) continue;
    const { responses, unproven } = found;
    // The next round may reach a machine that has the block.
    if (!isLast && [...unproven.values()].includes('contradicted')) continue;
    // Coins now followed under one id are gone under another, which may be a requested one.
    if (await followNew(deps, memory, responses)) continue;
    await deps.reporter.report(memory, responses, { isForced: true });
    const outputs = request.outputs.map(({ output }) => output);
    deps.unverified.record(outputs, unproven);
    return;
  }
  if (hasTipMoved) throw new RetryableError('TIP_MOVED', 'the tip changed during every attempt to verify outputs');
  throw new UnreadableOutputsError(
    new RetryableError('OUTPUTS_UNREADABLE', 'the node contradicts itself about the blocks of the verified outputs'),
  );
}

// Helpers

type OutputToVerify = VerifyRequest['outputs'][number];

interface Responses {
  readonly responses: readonly Finding[];
  /** By output id: those without a response. */
  readonly unproven: ReadonlyMap<string, Unproven>;
}

/** Null when an output is in a block above the tip in memory. */
async function findResponses(
  deps: PollDeps,
  memory: EvmMemory,
  { outputs }: VerifyRequest,
  tip: Cursor,
): Promise<Responses | null> {
  const current = outputs.map((requested) => ({ ...requested, output: asStandsNow(memory, requested.output) }));
  const { locations, unknownTxids } = await findProvenOutputs(deps, memory, current);
  const responses = new Map<OutputToVerify, Finding>();
  const undone = new Set<OutputToVerify>();
  for (const [requested, { spends, ...location }] of locations) {
    if (location.height > tip.height) return null;
    if (isUndone(memory, location)) {
      undone.add(requested);
      continue;
    }
    const isDeep = tip.height - location.height + 1 >= requested.requiredConfirmations;
    const kind = isDeep ? 'confirmed' : 'block';
    responses.set(requested, { output: { ...requested.output, spends }, status: { kind, ...location } });
  }
  const unfound = current.filter((requested) => !responses.has(requested) && !undone.has(requested));
  const unproven = new Map(await findUnproven(deps, memory, unfound, unknownTxids));
  for (const { output } of undone) unproven.set(output.outputId, 'contradicted');
  const missing = unfound.filter(({ output }) => !unproven.has(output.outputId));
  const location = await locateOutputs(
    deps.node,
    missing.map(({ output }) => output),
    tip,
  );
  if (location === null) return null;
  for (const { outputId } of location.unclear) unproven.set(outputId, 'contradicted');
  for (const requested of missing) {
    if (location.unclear.has(requested.output)) continue;
    const output = location.waiting.get(requested.output);
    if (output !== undefined) responses.set(requested, { output, status: { kind: 'mempool' } });
    else
      responses.set(requested, {
        output: requested.output,
        status: gone(memory, requested.output, location.replacedTxids),
      });
  }
  return { responses: current.flatMap((requested) => responses.get(requested) ?? []), unproven };
}

/**
 * The request does not contain what the transaction spends. A contract can send another amount in
 * another block, and the coins of a `balance:` output may have been divided since, so the current
 * amount is used. The amount of a native transfer never changes.
 */
function asStandsNow(memory: EvmMemory, output: TrackedOutput): TrackedOutput {
  const placed = memory.chain.find(output.outputId)?.output;
  const known = placed ?? memory.unsettled.get(output.outputId)?.output;
  const { kind } = outputKind(output.outputId);
  if (known === undefined || kind === 'balance') return known ?? output;
  const isSame = kind !== 'native' && placed !== undefined && accountKey(placed) === accountKey(output);
  if (!isSame) return { ...output, spends: known.spends };
  const { amountBaseUnits, isUnproven } = placed;
  return { ...output, spends: known.spends, amountBaseUnits, ...(isUnproven === true ? { isUnproven } : {}) };
}

/** The response was from a machine still on the undone branch. */
function isUndone({ chain }: EvmMemory, { height, blockHash }: Cursor): boolean {
  const followed = chain.at(height);
  return followed !== null && followed.blockHash !== blockHash;
}

function gone(memory: EvmMemory, { outputId, txid }: TrackedOutput, replacedTxids: ReadonlySet<string>): OutputStatus {
  const isReplaced = txid !== null && replacedTxids.has(txid);
  return { kind: 'gone', reason: isReplaced ? 'replaced' : (memory.goneReasons.get(outputId) ?? 'reorged') };
}

/**
 * Adds outputs that were scanned before their address was watched to memory and store, so that they
 * are followed. Returns whether there were any.
 */
async function followNew(deps: PollDeps, memory: EvmMemory, responses: readonly Finding[]): Promise<boolean> {
  const fresh = responses.flatMap(({ output, status }) => {
    if (!('height' in status) || memory.chain.find(output.outputId) !== null) return [];
    return memory.chain.at(status.height) === null ? [] : [{ height: status.height, output }];
  });
  for (const placed of fresh) await saveLate(deps.reporter, memory, replaceReported(memory, placed));
  return fresh.length > 0;
}

import { RetryableError } from '../../errors.ts';
import type { Finding } from '../following/reporter.ts';
import type { Cursor, Standing, TrackedOutput, VerifyRequest } from '../port.ts';
import { whileOutputsAreReadable } from '../unreadable-outputs.ts';
import { accountKey } from './account-flows.ts';
import { replaceTold } from './attribute-late.ts';
import type { EvmMemory } from './evm-memory.ts';
import { saveLate } from './late.ts';
import type { LookDeps, LookResult } from './look.ts';
import { outputKind } from './output-id.ts';
import { findPlaces } from './places.ts';
import { whereaboutsOf } from './unsettled.ts';

/** Times an answer is worked out anew because the tip moved under it. */
const VERIFY_ROUNDS = 6;

/**
 * Answers with the standing of each output now. Nothing remembered is trusted: the receipt is read again, must be of a
 * transaction that succeeded, in a block of the best chain, and hold that very transfer. `look` brings the memory up to the
 * tip; the tip must still be in the best chain when all answers are found.
 */
export async function verifyOutputs(
  deps: LookDeps,
  memory: EvmMemory,
  request: VerifyRequest,
  look: () => Promise<LookResult>,
): Promise<void> {
  for (let round = 1; round <= VERIFY_ROUNDS; round += 1) {
    const { caughtUp } = await look();
    const tip = memory.chain.tip();
    if (!caughtUp || tip === null) {
      throw new RetryableError(
        'NODE_SYNCING',
        'verification waits until the newest block of the network was looked at',
      );
    }
    const answers = await whileOutputsAreReadable(() => findAnswers(deps, memory, request, tip));
    const [tipHash] = await deps.node.blockHashes([tip.height]);
    if (answers === null || tipHash !== tip.blockHash) continue;
    // Coins that are followed under one name from now on are gone under another, which may be among those asked for.
    if (await followNew(deps, memory, answers)) continue;
    await deps.reporter.report(memory, answers, { isAsked: true });
    return;
  }
  throw new RetryableError('TIP_MOVED', 'the tip kept moving while outputs were verified');
}

// Helpers

type Asked = VerifyRequest['outputs'][number];

/** Null when something is in a block that was not looked at yet. */
async function findAnswers(
  deps: LookDeps,
  memory: EvmMemory,
  { outputs }: VerifyRequest,
  tip: Cursor,
): Promise<Finding[] | null> {
  const current = outputs.map((asked) => ({ ...asked, output: asStandsNow(memory, asked.output) }));
  const places = await findPlaces(deps, memory, current);
  const answers = new Map<Asked, Finding>();
  for (const [asked, { spends, ...place }] of places) {
    if (place.height > tip.height) return null;
    const isDeep = tip.height - place.height + 1 >= asked.requiredConfirmations;
    const kind = isDeep ? 'confirmed' : 'block';
    answers.set(asked, { output: { ...asked.output, spends }, standing: { kind, ...place } });
  }
  const missing = current.filter((asked) => !answers.has(asked));
  const whereabouts = await whereaboutsOf(
    deps.node,
    missing.map(({ output }) => output),
    tip.height,
  );
  if (whereabouts === null) return null;
  for (const asked of missing) {
    const output = whereabouts.waiting.get(asked.output);
    if (output !== undefined) answers.set(asked, { output, standing: { kind: 'mempool' } });
    else answers.set(asked, { output: asked.output, standing: gone(memory, asked.output, whereabouts.replacedTxids) });
  }
  return current.flatMap((asked) => answers.get(asked) ?? []);
}

/**
 * The request does not contain the inputs of the transaction. A contract can send another amount in
 * another block, and the coins of a `balance:` output can have been divided since: the answer has
 * the amount of now. The amount of a plain transfer never changes.
 */
function asStandsNow(memory: EvmMemory, output: TrackedOutput): TrackedOutput {
  const placed = memory.chain.find(output.outputId)?.output;
  const known = placed ?? memory.unsettled.get(output.outputId)?.output;
  const { kind } = outputKind(output.outputId);
  if (known === undefined || kind === 'balance') return known ?? output;
  const isSame = kind !== 'native' && placed !== undefined && accountKey(placed) === accountKey(output);
  return { ...output, spends: known.spends, ...(isSame ? { amountBaseUnits: placed.amountBaseUnits } : {}) };
}

function gone(memory: EvmMemory, { outputId, txid }: TrackedOutput, replacedTxids: ReadonlySet<string>): Standing {
  const isReplaced = txid !== null && replacedTxids.has(txid);
  return { kind: 'gone', reason: isReplaced ? 'replaced' : (memory.goneReasons.get(outputId) ?? 'reorged') };
}

/**
 * An output that was scanned before anyone watched its address is followed from now on, here and in the store. True when
 * there was one.
 */
async function followNew(deps: LookDeps, memory: EvmMemory, answers: readonly Finding[]): Promise<boolean> {
  const fresh = answers.flatMap(({ output, standing }) => {
    if (!('height' in standing) || memory.chain.find(output.outputId) !== null) return [];
    return memory.chain.at(standing.height) === null ? [] : [{ height: standing.height, output }];
  });
  for (const placed of fresh) await saveLate(deps.reporter, memory, replaceTold(memory, placed));
  return fresh.length > 0;
}

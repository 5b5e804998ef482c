import { assertNever, RetryableError } from '../../errors.ts';
import type { Finding } from '../following/reporter.ts';
import type { Cursor, Standing, TrackedOutput, VerifyRequest } from '../port.ts';
import { isPayment } from './arrivals.ts';
import { replaceTold } from './attribute-late.ts';
import type { EvmMemory } from './evm-memory.ts';
import type { EvmReceipt, EvmTransaction } from './evm-node.ts';
import { saveLate } from './late.ts';
import type { LookDeps, LookResult } from './look.ts';
import { spendOf } from './matches.ts';
import { outputKind } from './output-id.ts';
import { createRecord, type RecordOf } from './record.ts';
import { paidTo } from './traced.ts';
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
    const answers = await findAnswers(deps, memory, request, tip);
    const [tipHash] = await deps.node.blockHashes([tip.height]);
    if (answers === null || tipHash !== tip.blockHash) continue;
    await follow(deps, memory, answers);
    await deps.reporter.report(memory, answers);
    return;
  }
  throw new RetryableError('TIP_MOVED', 'the tip kept moving while outputs were verified');
}

// Helpers

type Asked = VerifyRequest['outputs'][number];

/** What the chain says about one transaction. */
interface Evidence {
  readonly receipt: EvmReceipt;
  readonly transaction: EvmTransaction;
}

/** Null when something is in a block that was not looked at yet. */
async function findAnswers(
  deps: LookDeps,
  memory: EvmMemory,
  { outputs }: VerifyRequest,
  tip: Cursor,
): Promise<Finding[] | null> {
  const current = outputs.map((asked) => ({ ...asked, output: asStandsNow(memory, asked.output) }));
  const evidence = await readEvidence(deps, current);
  const canonical = await canonicalHashes(deps, current, evidence);
  const record = createRecord(deps.store, memory);
  const answers = new Map<Asked, Finding>();
  for (const asked of current) {
    const place = await placeOf(deps, memory, record, asked, evidence, canonical);
    if (place === null) continue;
    if (place.height > tip.height) return null;
    const isDeep = tip.height - place.height + 1 >= asked.requiredConfirmations;
    const transaction = evidence.get(asked.output.txid ?? '')?.transaction;
    const spends = transaction === undefined ? asked.output.spends : [spendOf(transaction)];
    answers.set(asked, {
      output: { ...asked.output, spends },
      standing: { kind: isDeep ? 'confirmed' : 'block', ...place },
    });
  }
  const missing = current.filter((asked) => !answers.has(asked));
  const whereabouts = await whereaboutsOf(
    deps.node,
    missing.map(({ output }) => output),
    tip.height,
  );
  if (whereabouts === null) return null;
  const waiting = new Map(whereabouts.waiting.map((output) => [output.outputId, output]));
  for (const asked of missing) {
    const output = waiting.get(asked.output.outputId);
    if (output !== undefined) answers.set(asked, { output, standing: { kind: 'mempool' } });
    else answers.set(asked, { output: asked.output, standing: gone(memory, asked.output, whereabouts.replacedTxids) });
  }
  return current.flatMap((asked) => answers.get(asked) ?? []);
}

/** What a balance told may have been divided since, and the request does not carry what the transaction uses up. */
function asStandsNow(memory: EvmMemory, output: TrackedOutput): TrackedOutput {
  const known = memory.chain.find(output.outputId)?.output ?? memory.unsettled.get(output.outputId)?.output;
  if (known === undefined) return output;
  return outputKind(output.outputId).kind === 'balance' ? known : { ...output, spends: known.spends };
}

async function readEvidence({ node }: LookDeps, asked: readonly Asked[]): Promise<Map<string, Evidence>> {
  const txids = [...new Set(asked.flatMap(({ output: { txid } }) => (txid === null ? [] : [txid])))];
  if (txids.length === 0) return new Map();
  const receipts = await node.receipts(txids);
  const transactions = await node.transactions(txids);
  const evidence = new Map<string, Evidence>();
  for (const [index, txid] of txids.entries()) {
    const receipt = receipts[index];
    const transaction = transactions[index];
    if (receipt && transaction) evidence.set(txid, { receipt, transaction });
  }
  return evidence;
}

async function canonicalHashes(
  { node }: LookDeps,
  asked: readonly Asked[],
  evidence: ReadonlyMap<string, Evidence>,
): Promise<Map<number, string | null>> {
  const heights = new Set([...evidence.values()].map(({ receipt }) => receipt.height));
  for (const { output } of asked) {
    const kind = outputKind(output.outputId);
    if (kind.kind === 'balance') heights.add(kind.height);
  }
  const hashes = heights.size === 0 ? [] : await node.blockHashes([...heights]);
  return new Map([...heights].map((height, index) => [height, hashes[index] ?? null]));
}

/** The block of the best chain that holds an output; null when none does. */
async function placeOf(
  deps: LookDeps,
  memory: EvmMemory,
  record: RecordOf,
  { output, reportedHeight }: Asked,
  evidence: ReadonlyMap<string, Evidence>,
  canonical: ReadonlyMap<number, string | null>,
): Promise<Cursor | null> {
  const kind = outputKind(output.outputId);
  if (kind.kind === 'balance') return balancePlace(record, output, kind.height, reportedHeight ?? null, canonical);
  const found = evidence.get(output.txid ?? '');
  if (found === undefined || !found.receipt.succeeded) return null;
  const { height, blockHash } = found.receipt;
  if (canonical.get(height) !== blockHash) return null;
  switch (kind.kind) {
    case 'native':
      return paysNatively(found.transaction, output) ? { height, blockHash } : null;
    case 'token':
      return paysByLog(found.receipt, output, kind.logIndex) ? { height, blockHash } : null;
    case 'internal':
      return (await paysInternally(deps, memory, record, output, found.receipt, reportedHeight ?? null))
        ? { height, blockHash }
        : null;
    default:
      return assertNever(kind, 'kind of output');
  }
}

/**
 * Balances of past blocks cannot be read from most nodes, so the block stands for the output: it must be the one in which
 * the rise was recorded. One older than every record was not undone, or it would have been told.
 */
async function balancePlace(
  record: RecordOf,
  { outputId }: TrackedOutput,
  height: number,
  reportedHeight: number | null,
  canonical: ReadonlyMap<number, string | null>,
): Promise<Cursor | null> {
  const blockHash = canonical.get(height) ?? null;
  if (blockHash === null) return null;
  const recorded = await record(outputId, height);
  const stands = recorded === undefined ? reportedHeight === height : recorded === blockHash;
  return stands ? { height, blockHash } : null;
}

function paysNatively({ from, to, valueWei }: EvmTransaction, { watchKey, amountBaseUnits }: TrackedOutput): boolean {
  return to === watchKey && from !== to && valueWei === amountBaseUnits;
}

/** The log may claim more than arrived, never less. */
function paysByLog({ tokenTransfers }: EvmReceipt, output: TrackedOutput, logIndex: number): boolean {
  const transfer = tokenTransfers.find((candidate) => candidate.logIndex === logIndex);
  if (transfer === undefined || !isPayment(transfer)) return false;
  const { to, token, amountBaseUnits } = transfer;
  return to === output.watchKey && token === output.asset && amountBaseUnits >= output.amountBaseUnits;
}

/**
 * A trace shows a payment; but in a block that is recorded without it and not remembered any more its coins were told by a later
 * balance. Where the node does not trace, the record decides.
 */
async function paysInternally(
  { node }: LookDeps,
  memory: EvmMemory,
  record: RecordOf,
  { outputId, txid, watchKey, amountBaseUnits }: TrackedOutput,
  { height, blockHash }: EvmReceipt,
  reportedHeight: number | null,
): Promise<boolean> {
  const recorded = await record(outputId, height);
  const traced = await node.internalTransfers(new Set([watchKey]), height);
  if (traced === null) return recorded === undefined ? reportedHeight === height : recorded === blockHash;
  if (recorded === null && memory.chain.at(height) === null) return false;
  const payment = paidTo(watchKey, traced).find((candidate) => candidate.txid === txid);
  return payment !== undefined && payment.amountBaseUnits >= amountBaseUnits;
}

function gone(memory: EvmMemory, { outputId, txid }: TrackedOutput, replacedTxids: ReadonlySet<string>): Standing {
  const isReplaced = txid !== null && replacedTxids.has(txid);
  return { kind: 'gone', reason: isReplaced ? 'replaced' : (memory.goneReasons.get(outputId) ?? 'reorged') };
}

/** An output that was scanned before anyone watched its address is followed from now on, here and in the store. */
async function follow(deps: LookDeps, memory: EvmMemory, answers: readonly Finding[]): Promise<void> {
  for (const { output, standing } of answers) {
    if (!('height' in standing) || memory.chain.find(output.outputId) !== null) continue;
    if (memory.chain.at(standing.height) === null) continue;
    await saveLate(deps.reporter, memory, replaceTold(memory, { height: standing.height, output }));
  }
}

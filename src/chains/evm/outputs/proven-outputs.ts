import { assertNever } from '../../../platform/errors.ts';
import type { Cursor, TrackedOutput, WatcherStore } from '../../port.ts';
import { createRecordedBlockFinder, type EvmMemory, type FindRecordedBlock } from '../evm-memory.ts';
import type { EvmNode, EvmReceipt, EvmTransaction } from '../node/evm-node.ts';
import { LeftChainError } from '../node/state-at.ts';
import { isPayment } from './arrivals.ts';
import { spendOf } from './match-payments.ts';
import { isNamedAfter, type OutputKind, outputKind } from './output-id.ts';
import { createTraceCache, paidTo, type TraceBlock } from './traced-payments.ts';

export interface ProofDeps {
  readonly node: EvmNode;
  readonly store: WatcherStore;
}

export interface OutputToProve {
  readonly output: TrackedOutput;
  readonly reportedHeight?: number | null;
}

/** The block of the best chain that contains an output, and what its transaction spends. */
export interface OutputLocation extends Cursor {
  readonly spends: readonly string[];
}

export interface ProvenOutputs<T> {
  readonly locations: ReadonlyMap<T, OutputLocation>;
  /** Transactions of which the node has no receipt, or the receipt alone. */
  readonly unknownTxids: ReadonlySet<string>;
}

/**
 * The blocks of outputs that the best chain really contains, by receipts, traces and records only.
 */
export async function findProvenOutputs<T extends OutputToProve>(
  deps: ProofDeps,
  memory: EvmMemory,
  requested: readonly T[],
): Promise<ProvenOutputs<T>> {
  const evidence = await readEvidence(deps, requested);
  const canonical = await canonicalHashes(deps, memory, requested, evidence);
  const sources = {
    memory,
    evidence,
    canonical,
    record: createRecordedBlockFinder(deps.store, memory),
    traceBlock: createTraceCache(deps.node, (height) => watchKeysAt(height, requested, evidence)),
  };
  const locations = new Map<T, OutputLocation>();
  for (const each of requested) {
    const location = await prove(sources, each);
    const transaction = evidence.get(each.output.txid ?? '')?.transaction;
    const spends = transaction === undefined ? each.output.spends : [spendOf(transaction)];
    if (location !== null) locations.set(each, { ...location, spends });
  }
  return { locations, unknownTxids: new Set(txidsOf(requested).filter((txid) => !evidence.has(txid))) };
}

// Helpers

/** Receipt and transaction of one txid. */
interface Evidence {
  readonly receipt: EvmReceipt;
  readonly transaction: EvmTransaction;
}

/** The data outputs are looked up in. */
interface Sources {
  readonly memory: EvmMemory;
  readonly evidence: ReadonlyMap<string, Evidence>;
  /** Block hashes of the best chain by height. */
  readonly canonical: ReadonlyMap<number, string | null>;
  readonly record: FindRecordedBlock;
  readonly traceBlock: TraceBlock;
}

function watchKeysAt(
  height: number,
  requested: readonly OutputToProve[],
  evidence: ReadonlyMap<string, Evidence>,
): ReadonlySet<string> {
  const here = requested.filter(({ output: { txid } }) => evidence.get(txid ?? '')?.receipt.height === height);
  return new Set(here.map(({ output }) => output.watchKey));
}

function txidsOf(requested: readonly OutputToProve[]): string[] {
  return [...new Set(requested.flatMap(({ output: { txid } }) => (txid === null ? [] : [txid])))];
}

async function readEvidence({ node }: ProofDeps, requested: readonly OutputToProve[]): Promise<Map<string, Evidence>> {
  const txids = txidsOf(requested);
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

/**
 * Throws `LeftChainError` when the responding node lags behind the tip in memory: its missing
 * blocks prove nothing.
 */
async function canonicalHashes(
  { node }: ProofDeps,
  memory: EvmMemory,
  requested: readonly OutputToProve[],
  evidence: ReadonlyMap<string, Evidence>,
): Promise<Map<number, string | null>> {
  const heights = new Set([...evidence.values()].map(({ receipt }) => receipt.height));
  for (const { output } of requested) {
    const kind = outputKind(output.outputId);
    if (kind.kind === 'balance') heights.add(kind.height);
  }
  const hashes = heights.size === 0 ? [] : await node.blockHashes([...heights]);
  const tip = memory.chain.tip();
  return new Map(
    [...heights].map((height, index) => {
      const blockHash = hashes[index] ?? null;
      if (blockHash === null && tip !== null && height <= tip.height) throw new LeftChainError(tip);
      return [height, blockHash];
    }),
  );
}

/** The block of the best chain that contains an output; null when none does. */
async function prove(sources: Sources, { output, reportedHeight }: OutputToProve): Promise<Cursor | null> {
  const { evidence, canonical, record } = sources;
  const kind = outputKind(output.outputId);
  if (kind.kind === 'balance') return proveBalance(record, output, kind, reportedHeight ?? null, canonical);
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
      return (await paysInternally(sources, output, found.receipt, reportedHeight ?? null))
        ? { height, blockHash }
        : null;
    default:
      return assertNever(kind, 'kind of output');
  }
}

/**
 * Most nodes have no state of past blocks, so the block itself is the evidence: it must be the one
 * in which the increase was recorded. An output older than every record counts if its height is the
 * reported one: had its block been undone, that would have been reported.
 */
async function proveBalance(
  record: FindRecordedBlock,
  { outputId }: TrackedOutput,
  named: Extract<OutputKind, { readonly kind: 'balance' }>,
  reportedHeight: number | null,
  canonical: ReadonlyMap<number, string | null>,
): Promise<Cursor | null> {
  const { height } = named;
  const blockHash = canonical.get(height) ?? null;
  if (blockHash === null || !isNamedAfter(named, blockHash)) return null;
  const recorded = await record(outputId, height);
  const isRecorded = recorded === undefined ? reportedHeight === height : recorded === blockHash;
  return isRecorded ? { height, blockHash } : null;
}

function paysNatively({ from, to, valueWei }: EvmTransaction, { watchKey, amountBaseUnits }: TrackedOutput): boolean {
  return to === watchKey && from !== to && valueWei === amountBaseUnits;
}

/** The log may state more than was received, never less. */
function paysByLog({ tokenTransfers }: EvmReceipt, output: TrackedOutput, logIndex: number): boolean {
  const transfer = tokenTransfers.find((candidate) => candidate.logIndex === logIndex);
  if (transfer === undefined || !isPayment(transfer)) return false;
  const { to, token, amountBaseUnits } = transfer;
  return to === output.watchKey && token === output.asset && amountBaseUnits >= output.amountBaseUnits;
}

/**
 * A trace proves a payment, unless its block was recorded without the output and is no longer in
 * memory: then a later balance increase already includes the coins. One that has the transaction
 * without the payment disproves it. Without a trace of the transaction the record decides.
 */
async function paysInternally(
  { memory, record, traceBlock }: Sources,
  { outputId, txid, watchKey, amountBaseUnits }: TrackedOutput,
  { height, blockHash }: EvmReceipt,
  reportedHeight: number | null,
): Promise<boolean> {
  const recorded = await record(outputId, height);
  const traced = await traceBlock({ height, blockHash });
  const payment = paidTo(watchKey, traced?.transfers ?? []).find((candidate) => candidate.txid === txid);
  if (payment === undefined && txid !== null && traced?.txids.has(txid)) return false;
  if (payment === undefined) return recorded === undefined ? reportedHeight === height : recorded === blockHash;
  return payment.amountBaseUnits >= amountBaseUnits && !(recorded === null && memory.chain.at(height) === null);
}

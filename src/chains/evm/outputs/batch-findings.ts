import type { TrackedOutput } from '../../port.ts';
import { findingsInBlocks, findingsInMempool } from '../../sync/findings.ts';
import { findingsGone } from '../../sync/gone-outputs.ts';
import type { Finding } from '../../sync/reporter.ts';
import { accountKey } from '../balance-check/account-flows.ts';
import type { EvmMemory } from '../evm-memory.ts';
import { outputKind } from './output-id.ts';
import type { PlacedOutput } from './scan-batch.ts';
import type { Location } from './unsettled.ts';

/** Results of a batch about outputs. */
export interface OutputReadings {
  readonly placed: readonly PlacedOutput[];
  readonly balanceCheck: { readonly found: readonly PlacedOutput[]; readonly yetToPayTxids: ReadonlySet<string> };
  /** Unsettled outputs found in blocks older than those in memory. */
  readonly below: readonly Finding[];
  /** Null where absence of an output proves nothing. */
  readonly location: Location | null;
  /** Of a token that is not read: it stays unsettled, because its absence proves nothing. */
  readonly isUnread: (output: TrackedOutput) => boolean;
}

/** The findings to report once the memory holds the results of a batch. */
export function findingsOf(memory: EvmMemory, readings: OutputReadings): Finding[] {
  const inBlocks = findingsInBlocks(memory);
  for (const { output } of readings.below) memory.unsettled.delete(output.outputId);
  const { location } = readings;
  const elsewhere =
    location === null ? findingsWithNewId(memory, readings) : findingsNowhere(memory, location, readings);
  return withGoneBefore(memory, [...inBlocks, ...readings.below, ...elsewhere]);
}

/**
 * Adds to each present output the ids of outputs of its account that were recently reported as gone
 * and may be the same coins: the payment may not have processed that report yet.
 */
export function withGoneBefore({ reorged, unsettled, chain }: EvmMemory, findings: readonly Finding[]): Finding[] {
  const gone = new Map<string, string[]>();
  for (const { output } of reorged.values()) {
    const { outputId } = output;
    if (unsettled.has(outputId) || chain.find(outputId) !== null) continue;
    gone.set(accountKey(output), [outputId, ...(gone.get(accountKey(output)) ?? [])]);
  }
  return findings.map((finding) => {
    const outdates = finding.status.kind === 'gone' ? undefined : gone.get(accountKey(finding.output));
    return outdates === undefined ? finding : { ...finding, outdates };
  });
}

// Helpers

/**
 * An output of an account is always in a block first, so an unsettled one has lost its block. One
 * whose coins have another id in this batch is gone even if the node's responses are unclear.
 */
function findingsNowhere(
  memory: EvmMemory,
  { waiting: waits, replacedTxids, unclear }: Location,
  readings: OutputReadings,
): Finding[] {
  const goneIds = new Set(findingsWithNewId(memory, readings).map(({ output }) => output.outputId));
  const unclearIds = new Set([...unclear].map(({ outputId }) => outputId).filter((id) => !goneIds.has(id)));
  const waiting = [...waits.values()];
  for (const [outputId, { output }] of memory.unsettled) memory.unsettled.set(outputId, { output, wasReorged: true });
  const findings = findingsInMempool(memory, waiting);
  const gone = findingsGone(memory, waiting, () => new Set(replacedTxids));
  return [...findings, ...gone.filter(({ output }) => !readings.isUnread(output) && !unclearIds.has(output.outputId))];
}

/**
 * Before the head, only an output whose coins have another id now is certainly gone. It is reported
 * together with that id; otherwise the coins would count twice until the head is reached. A
 * balance-only output may replace a traced one, unless that one's transaction has yet to pay.
 */
function findingsWithNewId(memory: EvmMemory, { placed, balanceCheck }: OutputReadings): Finding[] {
  const keysOf = (found: readonly PlacedOutput[]) => new Set(found.map(({ output }) => accountKey(output)));
  const increased = {
    balance: keysOf(balanceCheck.found),
    internal: keysOf(balanceCheck.found.filter(({ output }) => output.txid === null)),
  };
  const paid = new Set(placed.map(({ output }) => paymentKey(output)));
  return [...memory.unsettled.values()].flatMap(({ output }): Finding[] => {
    const { kind } = outputKind(output.outputId);
    const hasIncreased = (kind === 'balance' || kind === 'internal') && increased[kind].has(accountKey(output));
    const isYetToPay = output.txid !== null && balanceCheck.yetToPayTxids.has(output.txid);
    const hasNewId = kind === 'token' ? paid.has(paymentKey(output)) : hasIncreased && !isYetToPay;
    if (!hasNewId || memory.chain.find(output.outputId) !== null) return [];
    return [{ output, status: { kind: 'gone', reason: 'reorged' } }];
  });
}

function paymentKey(output: TrackedOutput): string {
  return `${output.txid} ${accountKey(output)}`;
}

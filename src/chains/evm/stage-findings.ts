import { findingsGone, findingsInBlocks, findingsInMempool } from '../following/findings.ts';
import type { Finding } from '../following/reporter.ts';
import type { TrackedOutput } from '../port.ts';
import { accountKey } from './account-flows.ts';
import type { EvmMemory } from './evm-memory.ts';
import { outputKind } from './output-id.ts';
import type { PlacedOutput } from './scan.ts';
import type { Whereabouts } from './unsettled.ts';

/** What a stage found out about outputs. */
export interface OutputFacts {
  readonly placed: readonly PlacedOutput[];
  readonly sweep: { readonly found: readonly PlacedOutput[]; readonly yetToPayTxids: ReadonlySet<string> };
  /** Unsettled outputs that are in older blocks than those remembered. */
  readonly below: readonly Finding[];
  /** Null where nothing can be said about outputs that were not found. */
  readonly whereabouts: Whereabouts | null;
}

/** What is to be reported once the memory holds what a stage found. */
export function findingsOf(memory: EvmMemory, facts: OutputFacts): Finding[] {
  const inBlocks = findingsInBlocks(memory);
  for (const { output } of facts.below) memory.unsettled.delete(output.outputId);
  const { whereabouts } = facts;
  const elsewhere = whereabouts === null ? findingsRenamed(memory, facts) : findingsNowhere(memory, whereabouts);
  return withGoneBefore(memory, [...inBlocks, ...facts.below, ...elsewhere]);
}

/**
 * Names, with each present output, those of its account that were reported as gone a short time ago
 * and may be the same coins: that report may still be on its way to the payment.
 */
export function withGoneBefore({ fallen, unsettled, chain }: EvmMemory, findings: readonly Finding[]): Finding[] {
  const gone = new Map<string, string[]>();
  for (const { output } of fallen.values()) {
    const { outputId } = output;
    if (unsettled.has(outputId) || chain.find(outputId) !== null) continue;
    gone.set(accountKey(output), [outputId, ...(gone.get(accountKey(output)) ?? [])]);
  }
  return findings.map((finding) => {
    const outdates = finding.standing.kind === 'gone' ? undefined : gone.get(accountKey(finding.output));
    return outdates === undefined ? finding : { ...finding, outdates };
  });
}

// Helpers

/**
 * An account's output was in a block before it was anywhere else, so one that is lost fell out of a
 * block.
 */
function findingsNowhere(memory: EvmMemory, { waiting: waits, replacedTxids }: Whereabouts): Finding[] {
  const waiting = [...waits.values()];
  for (const [outputId, { output }] of memory.unsettled) memory.unsettled.set(outputId, { output, fellOut: true });
  const findings = findingsInMempool(memory, waiting);
  return [...findings, ...findingsGone(memory, waiting, () => new Set(replacedTxids))];
}

/**
 * Before the head only an output whose coins have another name now is certain to be gone. It is
 * reported together with that name, since coins would count twice until the head is reached. What a
 * trace named may be what a balance shows now, unless its transaction has yet to pay.
 */
function findingsRenamed(memory: EvmMemory, { placed, sweep }: OutputFacts): Finding[] {
  const keysOf = (found: readonly PlacedOutput[]) => new Set(found.map(({ output }) => accountKey(output)));
  const risen = {
    balance: keysOf(sweep.found),
    internal: keysOf(sweep.found.filter(({ output }) => output.txid === null)),
  };
  const paid = new Set(placed.map(({ output }) => paymentKey(output)));
  return [...memory.unsettled.values()].flatMap(({ output }): Finding[] => {
    const { kind } = outputKind(output.outputId);
    const hasRisen = (kind === 'balance' || kind === 'internal') && risen[kind].has(accountKey(output));
    const isYetToPay = output.txid !== null && sweep.yetToPayTxids.has(output.txid);
    const isRenamed = kind === 'token' ? paid.has(paymentKey(output)) : hasRisen && !isYetToPay;
    if (!isRenamed || memory.chain.find(output.outputId) !== null) return [];
    return [{ output, standing: { kind: 'gone', reason: 'reorged' } }];
  });
}

function paymentKey(output: TrackedOutput): string {
  return `${output.txid} ${accountKey(output)}`;
}

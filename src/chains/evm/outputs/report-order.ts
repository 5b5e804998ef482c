import type { TrackedOutput } from '../../port.ts';
import type { Finding } from '../../sync/reporter.ts';
import { accountKey } from '../balance-check/account-flows.ts';
import { outputKind } from './output-id.ts';

/**
 * Orders findings so that a payment, which processes them one by one, never counts coins twice.
 * Output ids depend on the position of an output, so a reorganisation gives coins new ids, and a
 * late trace divides a balance increase.
 *
 * Findings that lower the sum come before those that raise it. The exception is an output whose
 * successor a payment recognises, by transaction and amount or by a common spend: the successor
 * comes first and the sum stays the same. Where ids shift (log 5 becomes 6, and 6 becomes 7), an id
 * is reported again only after its previous output has its next id.
 *
 * Nothing links balance-only coins to the outputs that were reorged out. Such a new output comes
 * before one that is gone and names it as outdated, so the payment counts one of the two. Otherwise
 * every reorganisation would briefly change the payment's status.
 *
 * `before`: the affected outputs as last reported.
 */
export function inReportOrder(findings: readonly Finding[], before: ReadonlyMap<string, TrackedOutput>): Finding[] {
  const accounts = new Map<string, AccountFindings>();
  for (const output of before.values()) {
    const account = accounts.get(accountKey(output)) ?? { findings: [], before: new Map() };
    account.before.set(output.outputId, output);
    accounts.set(accountKey(output), account);
  }
  const ofNewAccounts: Finding[] = [];
  for (const finding of findings) {
    (accounts.get(accountKey(finding.output))?.findings ?? ofNewAccounts).push(finding);
  }
  return [...ofNewAccounts, ...[...accounts.values()].flatMap(orderedByEffect)];
}

// Helpers

interface AccountFindings {
  readonly findings: Finding[];
  readonly before: Map<string, TrackedOutput>;
}

function orderedByEffect({ findings, before }: AccountFindings): Finding[] {
  const [present, gone] = divide(findings, ({ status }) => status.kind !== 'gone');
  const [superseded, withdrawn] = divide(gone, hasSuccessorIn(present));
  const earlier = [...before.values()];
  const [moved, unmoved] = divide(present, ({ output }) =>
    earlier.some((each) => each.outputId !== output.outputId && isSameTransfer(output, each)),
  );
  const amountOf = ({ output }: Finding) => (before.get(output.outputId) ?? output).amountBaseUnits;
  const [fresh, again] = divide(unmoved, ({ output }) => !before.has(output.outputId));
  const predecessors = pairUnlinked({ fresh, again }, withdrawn, amountOf);
  const paired = new Set(predecessors.values());
  const changes = [...withdrawn, ...unmoved]
    .filter((finding) => !paired.has(finding))
    .map((finding) => {
      const old = predecessors.get(finding) ?? null;
      // Of a pair, only the old output was shown so far.
      const known = old === null ? before.get(finding.output.outputId) : undefined;
      const change = changeBy(finding, known) - (old === null ? 0n : amountOf(old));
      return { finding, old, change };
    })
    // In a retry every change is 0: balance-only outputs come first, as they may have shrunk.
    .sort((one, other) => Number(one.change - other.change) || isNamed(one.finding) - isNamed(other.finding));
  const [lowering, raising] = divide(changes, ({ change }) => change < 0n);
  const outdated = lowering.map(({ finding, old }) => (old ?? finding).output.outputId);
  const report = ({ finding, old }: (typeof changes)[number], others: readonly string[]) =>
    withOutdated(finding, [...(old === null ? [] : [old.output.outputId]), ...others]);
  return [
    ...lowering.map((each) => report(each, [])),
    ...inOrderOfMoves(moved, before).map((each) => withOldBalance(each, superseded)),
    ...raising.map((each) => report(each, outdated)),
    ...superseded,
    ...paired,
  ];
}

/**
 * Pairs new outputs with ones that are gone, where one of the two has no transaction: equal amounts
 * first, then the largest with the largest, then equal ones that are reported `again` because the
 * report in which they were new failed. A pair counts as one change of the sum.
 */
function pairUnlinked(
  { fresh, again }: { readonly fresh: readonly Finding[]; readonly again: readonly Finding[] },
  gone: readonly Finding[],
  amountOf: (finding: Finding) => bigint,
): ReadonlyMap<Finding, Finding> {
  const byAmount = (one: Finding, other: Finding) => Number(amountOf(other) - amountOf(one));
  const all = [...gone].sort(byAmount);
  // At most one per account and block, so this list stays short.
  const unnamed = all.filter(({ output }) => output.txid === null);
  const taken = new Set<Finding>();
  const pairs = new Map<Finding, Finding>();
  const isEqual = (one: Finding, other: Finding) => amountOf(one) === amountOf(other);
  const passes = [
    [fresh, isEqual],
    [fresh, () => true],
    [again, isEqual],
  ] as const;
  for (const [present, isFit] of passes) {
    for (const finding of [...present].sort(byAmount).filter((each) => !pairs.has(each))) {
      const candidates = finding.output.txid === null ? all : unnamed;
      const old = candidates.find((each) => !taken.has(each) && isFit(finding, each));
      if (old === undefined) continue;
      taken.add(old);
      pairs.set(finding, old);
    }
  }
  return pairs;
}

/** Until a payment knows the txid of a balance-only output, it cannot recognise the successor. */
function withOldBalance(moved: Finding, superseded: readonly Finding[]): Finding {
  const isOld = ({ output }: Finding) =>
    outputKind(output.outputId).kind === 'balance' && isSameTransfer(output, moved.output);
  return withOutdated(
    moved,
    superseded.filter(isOld).map(({ output }) => output.outputId),
  );
}

/** Reports may arrive out of order, so one that raises the sum names the outputs that lower it. */
function withOutdated(finding: Finding, outputIds: readonly string[]): Finding {
  return outputIds.length === 0 ? finding : { ...finding, outdates: [...outputIds, ...(finding.outdates ?? [])] };
}

/** Change of the payment's sum by a finding, in base units. */
function changeBy({ output, status }: Finding, before: TrackedOutput | undefined): bigint {
  if (status.kind === 'gone') return -(before ?? output).amountBaseUnits;
  return output.amountBaseUnits - (before?.amountBaseUnits ?? 0n);
}

function isNamed({ output }: Finding): number {
  return output.txid === null ? 0 : 1;
}

function inOrderOfMoves(moved: readonly Finding[], before: ReadonlyMap<string, TrackedOutput>): Finding[] {
  const waiting = [...moved];
  const ordered: Finding[] = [];
  while (waiting.length > 0) {
    const free = waiting.findIndex((each) => {
      const held = before.get(each.output.outputId);
      return !waiting.some((other) => other !== each && held !== undefined && isSameTransfer(other.output, held));
    });
    // Equal amounts block each other; any of them may go first.
    ordered.push(...waiting.splice(Math.max(0, free), 1));
  }
  return ordered;
}

/**
 * Whether a payment counts a present output instead of one that is gone. Each present output can
 * replace one transfer of its transaction; a balance-only output replaces none.
 */
function hasSuccessorIn(present: readonly Finding[]): (gone: Finding) => boolean {
  const free = [...present];
  return ({ output }) => {
    const index = free.findIndex((each) => isSameTransfer(each.output, output));
    if (index !== -1) return free.splice(index, 1).length > 0;
    return present.some((each) => replaces(each.output, output));
  };
}

function replaces(one: TrackedOutput, other: TrackedOutput): boolean {
  if (one.txid === null || other.txid === null || one.txid === other.txid) return false;
  return one.spends.some((spend) => other.spends.includes(spend));
}

function isSameTransfer(one: TrackedOutput, other: TrackedOutput): boolean {
  return one.txid !== null && one.txid === other.txid && one.amountBaseUnits === other.amountBaseUnits;
}

function divide<T>(all: readonly T[], isFirst: (each: T) => boolean): [T[], T[]] {
  const parts: [T[], T[]] = [[], []];
  for (const each of all) parts[isFirst(each) ? 0 : 1].push(each);
  return parts;
}

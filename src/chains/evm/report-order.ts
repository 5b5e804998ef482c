import type { Finding } from '../following/reporter.ts';
import type { TrackedOutput } from '../port.ts';
import { accountKey } from './account-flows.ts';

/**
 * Orders findings so that a payment, which takes them in one by one, never counts coins twice.
 * Outputs are named after their place, so a reorganisation gives coins another name, and a late
 * trace divides what a balance showed.
 *
 * What lowers the sum comes before what raises it. The exception is an output whose successor a
 * payment recognises, by the transaction and the amount or by what both spend: the successor comes
 * first, and the sum stays. Where names are taken over (log 5 becomes 6, and 6 becomes 7), a name
 * is reported anew after what it stood for has its next name.
 *
 * Nothing links coins that only a balance shows with what fell. A new output with exactly the
 * amount of one that is gone comes first and names it as outdated, so the payment counts one of
 * the two. Otherwise every reorganisation would change the status of the payment for a moment.
 *
 * `before`: the outputs concerned, as they were last reported.
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
  const [present, gone] = divide(findings, ({ standing }) => standing.kind !== 'gone');
  const [succeeded, withdrawn] = divide(gone, successionOf(present));
  const earlier = [...before.values()];
  const [moved, unmoved] = divide(present, ({ output }) =>
    earlier.some((each) => each.outputId !== output.outputId && isSameTransfer(output, each)),
  );
  const renamed = pairByAmount(
    unmoved.filter(({ output }) => !before.has(output.outputId)),
    withdrawn,
    before,
  );
  const oldNames = new Set(renamed.values());
  const changes = [...withdrawn, ...unmoved]
    .filter((finding) => !renamed.has(finding) && !oldNames.has(finding))
    .map((finding) => ({ finding, change: changeBy(finding, before.get(finding.output.outputId)) }))
    // Repeated after a failure, nothing changes any more: what a balance showed, and less of it now, comes first.
    .sort((one, other) => Number(one.change - other.change) || isNamed(one.finding) - isNamed(other.finding));
  const [lowering, raising] = divide(changes, ({ change }) => change < 0n);
  const findingsOf = (part: typeof changes) => part.map(({ finding }) => finding);
  const outdated = findingsOf(lowering).map(({ output }) => output.outputId);
  const others = findingsOf(raising).map((finding) => withOutdated(finding, outdated));
  const newNames = [...renamed].map(([finding, { output }]) => withOutdated(finding, [output.outputId]));
  return [...findingsOf(lowering), ...inOrderOfMoves(moved, before), ...newNames, ...others, ...succeeded, ...oldNames];
}

/** New outputs, each with one that is gone and had the same amount, where one of the two has no transaction. */
function pairByAmount(
  fresh: readonly Finding[],
  gone: readonly Finding[],
  before: ReadonlyMap<string, TrackedOutput>,
): ReadonlyMap<Finding, Finding> {
  const free = new Set(gone);
  const pairs = new Map<Finding, Finding>();
  for (const finding of fresh) {
    const { txid, amountBaseUnits } = finding.output;
    const old = [...free].find(({ output }) => {
      const isUnlinked = txid === null || output.txid === null;
      return isUnlinked && (before.get(output.outputId) ?? output).amountBaseUnits === amountBaseUnits;
    });
    if (old === undefined) continue;
    free.delete(old);
    pairs.set(finding, old);
  }
  return pairs;
}

/** Where reports overtake each other, a payment learns from what raises its sum what lowers it. */
function withOutdated(finding: Finding, outputIds: readonly string[]): Finding {
  return outputIds.length === 0 ? finding : { ...finding, outdates: outputIds };
}

/** By how much a finding changes the sum that a payment shows, in base units. */
function changeBy({ output, standing }: Finding, before: TrackedOutput | undefined): bigint {
  if (standing.kind === 'gone') return -(before ?? output).amountBaseUnits;
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
    // Equal amounts wait for each other; any of them may be the first.
    ordered.push(...waiting.splice(Math.max(0, free), 1));
  }
  return ordered;
}

/**
 * Whether a payment counts a present output instead of one that is gone. Each present output stands for
 * one transfer of its transaction; what a balance shows is linked to nothing.
 */
function successionOf(present: readonly Finding[]): (gone: Finding) => boolean {
  const free = [...present];
  return ({ output }) => {
    const place = free.findIndex((each) => isSameTransfer(each.output, output));
    if (place !== -1) return free.splice(place, 1).length > 0;
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

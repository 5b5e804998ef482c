import { sumBaseUnits } from '../vocabulary/amount.ts';
import type { ChainOrder, OutputRecord } from './context.ts';
import { isLive } from './rules/live.ts';

/**
 * Transactions of one payment that spend the same coins: a fee bump, a double spend to the same
 * address, a reused nonce. At most one of such conflicts can be in the best chain, so they are one
 * sum of money sent again: one counts (block before mempool, then the newest), with the first
 * sighting of what it replaces. Everything is derived from the whole set of outputs each time, so
 * the order in which observations are processed cannot matter.
 *
 * A replacement inherits only what it replaces. It is new money, with its own sighting, if it pays
 * more than the transactions first seen did, or shares its inputs with another live transaction
 * that has used up that sum. Otherwise a small transaction sent in time would keep the rate open
 * for a large one sent at any later time. `isInTime` limits how long an inherited sighting counts.
 *
 * Expects outputs without links, and moved ones marked by `supersedeMoved`, which also explains
 * `areNamedByPosition`.
 */
export function linkReplacements(
  outputs: readonly OutputRecord[],
  areNamedByPosition: boolean,
): readonly OutputRecord[] {
  if (!hasConflicts(outputs)) return outputs;
  const transactions = groupByTransaction(outputs, areNamedByPosition).sort(
    (a, b) => a.sighting.order - b.sighting.order,
  );
  const conflicts = conflictsOf(transactions);
  const superseded = new Set(transactions.filter((each) => conflicts(each).some((other) => wins(other, each))));
  const roots = inheritSightings(transactions, conflicts, superseded);
  return transactions.flatMap((each) => each.outputs.map((output) => link(output, each, roots.get(each) ?? [])));

  function link(output: OutputRecord, holder: Spender, replaced: readonly Spender[]): OutputRecord {
    // Of several transactions, take the one seen last: in time only if all of them were.
    const root = replaced.at(-1) ?? holder;
    const isInherited = root !== holder;
    return {
      ...output,
      ...(superseded.has(holder) && output.presence !== 'gone' ? { superseded: true as const } : {}),
      ...(isInherited
        ? {
            firstSeenAt: root.sighting.at,
            firstSeenOrder: root.sighting.order,
            ownSighting: { at: output.firstSeenAt, order: output.firstSeenOrder },
            ...(replaced.length > 1 ? { replacedSightings: replaced.map(({ sighting }) => sighting.order) } : {}),
          }
        : {}),
    };
  }
}

/** An output as described by its own observations alone. */
export function withoutLinks(output: OutputRecord): OutputRecord {
  if (output.ownSighting === undefined && output.superseded === undefined) return output;
  const { ownSighting, replacedSightings: _, superseded: __, ...rest } = output;
  if (ownSighting === undefined) return rest;
  return { ...rest, firstSeenAt: ownSighting.at, firstSeenOrder: ownSighting.order };
}

/** Returns the transactions that spend coins of a given one, in the order of the list. */
export function conflictsOf<T extends Pick<Spender, 'spends'>>(transactions: readonly T[]): (each: T) => readonly T[] {
  const spentBy = new Map<string, T[]>();
  for (const each of transactions) {
    for (const coin of each.spends) spentBy.set(coin, [...(spentBy.get(coin) ?? []), each]);
  }
  const conflicts = new Map<T, T[]>(transactions.map((each) => [each, []]));
  for (const each of transactions) {
    const others = new Set([...each.spends].flatMap((coin) => spentBy.get(coin) ?? []));
    others.delete(each);
    for (const other of others) conflicts.get(other)?.push(each);
  }
  return (each) => conflicts.get(each) ?? [];
}

// Helpers

interface Spender {
  readonly outputs: readonly OutputRecord[];
  readonly spends: ReadonlySet<string>;
  readonly total: bigint;
  /** The earliest of its outputs' own sightings. */
  readonly sighting: { readonly at: number; readonly order: ChainOrder };
  /** Where its newest observation found it; null when it is gone. */
  readonly live: { readonly isInBlock: boolean; readonly order: ChainOrder } | null;
}

/** An output whose transaction is unknown counts as a separate transaction. */
function transactionOf({ txid, outputId }: OutputRecord): string {
  return txid ?? outputId;
}

/** Most payments have none. */
function hasConflicts(outputs: readonly OutputRecord[]): boolean {
  if (outputs.length < 2) return false;
  const spentBy = new Map<string, string>();
  for (const output of outputs) {
    for (const coin of output.spends ?? []) {
      const spender = spentBy.get(coin);
      if (spender !== undefined && spender !== transactionOf(output)) return true;
      spentBy.set(coin, transactionOf(output));
    }
  }
  return false;
}

function groupByTransaction(outputs: readonly OutputRecord[], areNamedByPosition: boolean): Spender[] {
  const groups = new Map<string, OutputRecord[]>();
  for (const output of outputs) {
    const group = groups.get(transactionOf(output));
    if (group === undefined) groups.set(transactionOf(output), [output]);
    else group.push(output);
  }
  return [...groups.values()].map((group) => {
    const first = group.reduce((one, other) => (other.firstSeenOrder < one.firstSeenOrder ? other : one));
    const live = group.filter(isLive);
    return {
      outputs: group,
      spends: new Set(group.flatMap(({ spends }) => spends ?? [])),
      total: areNamedByPosition ? withoutOldNames(group, live) : sumBaseUnits(group),
      sighting: { at: first.firstSeenAt, order: first.firstSeenOrder },
      live:
        live.length === 0
          ? null
          : {
              isInBlock: live.some(({ presence }) => presence === 'block'),
              order: Math.max(...live.map(({ order }) => order)),
            },
    };
  });
}

/**
 * While a transaction is gone, equal amounts may be one output under two ids; count each amount
 * once, the least it can have paid.
 */
function withoutOldNames(group: readonly OutputRecord[], live: readonly OutputRecord[]): bigint {
  if (live.length > 0) return sumBaseUnits(live);
  return sumBaseUnits([...new Map(group.map((output) => [output.amountBaseUnits, output])).values()]);
}

/** One in a block invalidates those in the mempool, however recently a node listed them. */
function wins(one: Spender, other: Spender): boolean {
  if (one.live === null || other.live === null) return false;
  if (one.live.isInBlock !== other.live.isInBlock) return one.live.isInBlock;
  return one.live.order > other.live.order;
}

type Conflicts = (each: Spender) => readonly Spender[];

/** Of conflicting roots only the newest counts, which was new money because it paid more. */
function withoutConflicts(roots: readonly Spender[], conflicts: Conflicts): readonly Spender[] {
  const indexOf = new Map(roots.map((root, index) => [root, index]));
  return roots.filter((root, index) => !conflicts(root).some((other) => (indexOf.get(other) ?? -1) > index));
}

/** The transactions each one inherits from, in order of sighting; itself alone for new money. */
function inheritSightings(
  transactions: readonly Spender[],
  conflicts: Conflicts,
  superseded: ReadonlySet<Spender>,
): ReadonlyMap<Spender, readonly Spender[]> {
  const roots = new Map<Spender, readonly Spender[]>();
  const unused = createUnusedSums(transactions, conflicts);
  for (const each of transactions) {
    // Only earlier ones have roots yet.
    const candidates = new Set(conflicts(each).flatMap((other) => roots.get(other) ?? []));
    const replaced = unused.covering(
      each.total,
      [...candidates].sort((a, b) => a.sighting.order - b.sighting.order),
    );
    roots.set(each, replaced.length === 0 ? [each] : replaced);
    if (each.live !== null && !superseded.has(each)) unused.use(each.total, roots.get(each) ?? []);
  }
  return roots;
}

/** The part of each root's sum that no live transaction has used up. */
interface UnusedSums {
  /** The first of these roots with this sum left, or those that together have it; else none. */
  covering(sum: bigint, from: readonly Spender[]): readonly Spender[];
  /** Takes the sum from these roots, in their order. */
  use(sum: bigint, from: readonly Spender[]): void;
}

function createUnusedSums(transactions: readonly Spender[], conflicts: Conflicts): UnusedSums {
  const sums = new Map(transactions.map((each) => [each, each.total]));
  const leftOf = (root: Spender): bigint => sums.get(root) ?? 0n;
  return {
    covering(sum, from) {
      const one = from.find((root) => sum <= leftOf(root));
      if (one !== undefined) return [one];
      const together = withoutConflicts(from, conflicts);
      return sum <= together.reduce((all, root) => all + leftOf(root), 0n) ? together : [];
    },
    use(sum, from) {
      let rest = sum;
      for (const root of from) {
        const part = rest < leftOf(root) ? rest : leftOf(root);
        sums.set(root, leftOf(root) - part);
        rest -= part;
      }
    },
  };
}

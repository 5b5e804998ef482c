import type { ChainOrder, OutputRecord } from './context.ts';
import { isLive, sumBaseUnits } from './rules/sums.ts';

/**
 * Transactions of one payment that spend the same coins: a fee bump, a double spend to the same
 * address, a reused nonce. At most one of such rivals can be in the best chain, so they are one sum
 * of money sent again: one counts (block before mempool, then the newest), with the first sighting
 * of what it replaces. Everything is derived from the whole set of outputs each time, so the order
 * in which observations are processed cannot matter.
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
  if (!hasRivals(outputs)) return outputs;
  const transactions = groupByTransaction(outputs, areNamedByPosition).sort(
    (a, b) => a.sighting.order - b.sighting.order,
  );
  const rivals = rivalsOf(transactions);
  const superseded = new Set(transactions.filter((each) => rivals(each).some((other) => prevails(other, each))));
  const roots = inheritSightings(transactions, rivals, superseded);
  // If it replaces several transactions, take the one seen last: in time only if all of them were.
  return transactions.flatMap((each) =>
    each.outputs.map((output) => link(output, each, roots.get(each)?.at(-1) ?? each)),
  );

  function link(output: OutputRecord, holder: Spender, root: Spender): OutputRecord {
    const isInherited = root !== holder;
    return {
      ...output,
      ...(superseded.has(holder) && output.presence !== 'gone' ? { superseded: true as const } : {}),
      ...(isInherited
        ? {
            firstSeenAt: root.sighting.at,
            firstSeenOrder: root.sighting.order,
            ownSighting: { at: output.firstSeenAt, order: output.firstSeenOrder },
          }
        : {}),
    };
  }
}

/** An output as described by its own observations alone. */
export function withoutLinks(output: OutputRecord): OutputRecord {
  if (output.ownSighting === undefined && output.superseded === undefined) return output;
  const { ownSighting, superseded: _, ...rest } = output;
  if (ownSighting === undefined) return rest;
  return { ...rest, firstSeenAt: ownSighting.at, firstSeenOrder: ownSighting.order };
}

/** Returns the transactions that spend coins of a given one, in the order of the list. */
export function rivalsOf<T extends Pick<Spender, 'spends'>>(transactions: readonly T[]): (each: T) => readonly T[] {
  const spentBy = new Map<string, T[]>();
  for (const each of transactions) {
    for (const coin of each.spends) spentBy.set(coin, [...(spentBy.get(coin) ?? []), each]);
  }
  const rivals = new Map<T, T[]>(transactions.map((each) => [each, []]));
  for (const each of transactions) {
    const others = new Set([...each.spends].flatMap((coin) => spentBy.get(coin) ?? []));
    others.delete(each);
    for (const other of others) rivals.get(other)?.push(each);
  }
  return (each) => rivals.get(each) ?? [];
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
function hasRivals(outputs: readonly OutputRecord[]): boolean {
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

/** A rival in a block invalidates those in the mempool, however recently a node listed them. */
function prevails(one: Spender, other: Spender): boolean {
  if (one.live === null || other.live === null) return false;
  if (one.live.isInBlock !== other.live.isInBlock) return one.live.isInBlock;
  return one.live.order > other.live.order;
}

type Rivals = (each: Spender) => readonly Spender[];

/** Of rival roots only the newest counts, which was new money because it paid more. */
function withoutRivals(roots: readonly Spender[], rivals: Rivals): readonly Spender[] {
  const indexOf = new Map(roots.map((root, index) => [root, index]));
  return roots.filter((root, index) => !rivals(root).some((other) => (indexOf.get(other) ?? -1) > index));
}

/** The transactions each one inherits from, in order of sighting; itself alone for new money. */
function inheritSightings(
  transactions: readonly Spender[],
  rivals: Rivals,
  superseded: ReadonlySet<Spender>,
): ReadonlyMap<Spender, readonly Spender[]> {
  const roots = new Map<Spender, readonly Spender[]>();
  const credit = new Map(transactions.map((each) => [each, each.total]));
  for (const each of transactions) {
    // Only earlier ones have roots yet.
    const candidates = new Set(rivals(each).flatMap((other) => roots.get(other) ?? []));
    const used = thatPay(
      each.total,
      [...candidates].sort((a, b) => a.sighting.order - b.sighting.order),
    );
    roots.set(each, used.length === 0 ? [each] : used);
    if (each.live !== null && !superseded.has(each)) spend(each.total, roots.get(each) ?? []);
  }
  return roots;

  function thatPay(sum: bigint, from: readonly Spender[]): readonly Spender[] {
    const one = from.find((root) => sum <= (credit.get(root) ?? 0n));
    if (one !== undefined) return [one];
    const together = withoutRivals(from, rivals);
    return sum <= together.reduce((all, root) => all + (credit.get(root) ?? 0n), 0n) ? together : [];
  }

  function spend(sum: bigint, from: readonly Spender[]): void {
    let left = sum;
    for (const root of from) {
      const has = credit.get(root) ?? 0n;
      const part = left < has ? left : has;
      credit.set(root, has - part);
      left -= part;
    }
  }
}

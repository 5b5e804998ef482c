import type { ChainOrder, OutputRecord } from './context.ts';
import { sumBaseUnits } from './sums.ts';

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
 * for a large one sent at any later time.
 *
 * Expects outputs without links, and moved ones marked by `supersedeMoved`, which also explains
 * `areNamedByPlace`.
 */
export function linkReplacements(outputs: readonly OutputRecord[], areNamedByPlace: boolean): readonly OutputRecord[] {
  const transactions = groupByTransaction(outputs, areNamedByPlace).sort((a, b) => a.sighting.order - b.sighting.order);
  if (!transactions.some((each) => transactions.some((other) => areRivals(each, other)))) return outputs;
  const superseded = new Set(transactions.filter((each) => isSuperseded(each, transactions)));
  const roots = inheritSightings(transactions, superseded);
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

function groupByTransaction(outputs: readonly OutputRecord[], areNamedByPlace: boolean): Spender[] {
  const groups = new Map<string, OutputRecord[]>();
  for (const output of outputs) {
    const key = output.txid ?? output.outputId;
    groups.set(key, [...(groups.get(key) ?? []), output]);
  }
  return [...groups.values()].map((group) => {
    const first = group.reduce((one, other) => (other.firstSeenOrder < one.firstSeenOrder ? other : one));
    const live = group.filter(({ presence, superseded }) => presence !== 'gone' && superseded !== true);
    return {
      outputs: group,
      spends: new Set(group.flatMap(({ spends }) => spends ?? [])),
      total: areNamedByPlace ? withoutOldNames(group, live) : sumBaseUnits(group),
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

function areRivals(one: Spender, other: Spender): boolean {
  return one !== other && [...one.spends].some((coin) => other.spends.has(coin));
}

function isSuperseded(each: Spender, all: readonly Spender[]): boolean {
  return all.some((other) => areRivals(each, other) && prevails(other, each));
}

/** A rival in a block invalidates those in the mempool, however recently a node listed them. */
function prevails(one: Spender, other: Spender): boolean {
  if (one.live === null || other.live === null) return false;
  if (one.live.isInBlock !== other.live.isInBlock) return one.live.isInBlock;
  return one.live.order > other.live.order;
}

/** Of rival roots only the newest counts, which was new money because it paid more. */
function withoutRivals(roots: readonly Spender[]): readonly Spender[] {
  return roots.filter((root, place) => !roots.slice(place + 1).some((newer) => areRivals(root, newer)));
}

/** The transactions each one inherits from, in order of sighting; itself alone for new money. */
function inheritSightings(
  transactions: readonly Spender[],
  superseded: ReadonlySet<Spender>,
): ReadonlyMap<Spender, readonly Spender[]> {
  const roots = new Map<Spender, readonly Spender[]>();
  const credit = new Map(transactions.map((each) => [each, each.total]));
  for (const [place, each] of transactions.entries()) {
    const earlier = transactions.slice(0, place).filter((other) => areRivals(each, other));
    const candidates = new Set(earlier.flatMap((other) => roots.get(other) ?? [other]));
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
    const together = withoutRivals(from);
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

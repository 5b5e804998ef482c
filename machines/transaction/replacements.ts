import type { ChainOrder, OutputRecord } from './context.ts';
import { sumBaseUnits } from './sums.ts';

/**
 * Transactions of one payment that spend the same coins: a raised fee, a double spend to the same address, a nonce used again.
 * Of such rivals one at most can be in the best chain, so they are one sum of money sent again: only the newest counts, and
 * it keeps the first sighting of what it replaces. All of it is derived anew from the whole set of outputs, so the order in
 * which observations are processed cannot matter.
 *
 * A replacement inherits only what it replaces. One that pays more than the transaction first seen did, or that shares its
 * inputs with another live transaction which has used up that sum, is new money and keeps its own sighting. Otherwise a
 * small transaction sent in time would keep the rate open for a large one sent at any later moment.
 */
export function linkReplacements(outputs: readonly OutputRecord[]): readonly OutputRecord[] {
  const own = outputs.map(withoutLinks);
  const transactions = groupByTransaction(own).sort((a, b) => a.sighting.order - b.sighting.order);
  if (!transactions.some((each) => transactions.some((other) => areRivals(each, other)))) return own;
  const superseded = new Set(transactions.filter((each) => isSuperseded(each, transactions)));
  const roots = inheritSightings(transactions, superseded);
  return transactions.flatMap((each) => each.outputs.map((output) => link(output, each, roots.get(each) ?? each)));

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

/** An output as its own observations alone describe it. */
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
  /** The first of its outputs' own sightings. */
  readonly sighting: { readonly at: number; readonly order: ChainOrder };
  /** The newest observation that found it in the mempool or in a block; null when it is gone. */
  readonly liveOrder: ChainOrder | null;
}

function groupByTransaction(outputs: readonly OutputRecord[]): Spender[] {
  const groups = new Map<string, OutputRecord[]>();
  for (const output of outputs) {
    const key = output.txid ?? output.outputId;
    groups.set(key, [...(groups.get(key) ?? []), output]);
  }
  return [...groups.values()].map((group) => {
    const first = group.reduce((one, other) => (other.firstSeenOrder < one.firstSeenOrder ? other : one));
    const liveOrders = group.filter(({ presence }) => presence !== 'gone').map(({ order }) => order);
    return {
      outputs: group,
      spends: new Set(group.flatMap(({ spends }) => spends ?? [])),
      total: sumBaseUnits(group),
      sighting: { at: first.firstSeenAt, order: first.firstSeenOrder },
      liveOrder: liveOrders.length === 0 ? null : Math.max(...liveOrders),
    };
  });
}

function areRivals(one: Spender, other: Spender): boolean {
  return one !== other && [...one.spends].some((coin) => other.spends.has(coin));
}

function isSuperseded(each: Spender, all: readonly Spender[]): boolean {
  const { liveOrder } = each;
  if (liveOrder === null) return false;
  return all.some((other) => (other.liveOrder ?? -1) > liveOrder && areRivals(each, other));
}

/** For each transaction the one whose sighting it keeps, which may be itself. `transactions` are sorted by their sighting. */
function inheritSightings(
  transactions: readonly Spender[],
  superseded: ReadonlySet<Spender>,
): ReadonlyMap<Spender, Spender> {
  const roots = new Map<Spender, Spender>();
  const credit = new Map<Spender, bigint>(transactions.map((each) => [each, each.total]));
  for (const [place, each] of transactions.entries()) {
    const earlier = transactions.slice(0, place).filter((other) => areRivals(each, other));
    const candidates = earlier.map((other) => roots.get(other) ?? other);
    const fitting = candidates.filter((root) => each.total <= (credit.get(root) ?? 0n));
    const root = fitting.reduce((one, other) => (other.sighting.order < one.sighting.order ? other : one), each);
    roots.set(each, root);
    const counts = each.liveOrder !== null && !superseded.has(each);
    if (counts) credit.set(root, (credit.get(root) ?? 0n) - each.total);
  }
  return roots;
}

import type { Random } from '../random.ts';

/** Shuffles transactions but keeps the order of each sender's: nonces must increase. */
export function reorder<T extends { readonly sender: string }>(transactions: readonly T[], random: Random): T[] {
  const bySender = new Map<string, T[]>();
  for (const each of transactions) bySender.set(each.sender, [...(bySender.get(each.sender) ?? []), each]);
  return random
    .shuffled(transactions.map(({ sender }) => sender))
    .map((sender) => bySender.get(sender)?.shift())
    .filter((each) => each !== undefined);
}

/** Divides a list into this many parts, keeping its order; a part may be empty. */
export function divide<T>(list: readonly T[], parts: number, random: Random): T[][] {
  const cuts = Array.from({ length: parts - 1 }, () => random.between(0, list.length)).sort(
    (one, other) => one - other,
  );
  return [0, ...cuts].map((start, index) => list.slice(start, cuts[index] ?? list.length));
}

import type { IdKind } from '../../src/ids.ts';

/** What begins the ids that go by a name in paths, queries and answers. */
const KINDS: ReadonlyMap<string, IdKind> = new Map([
  ['transaction_id', 'txn'],
  ['endpoint_id', 'whk'],
  ['delivery_id', 'dlv'],
  ['replay_id', 'rpl'],
]);

/** Ids that go by this name. Throws on a name nobody has taught: what is asked for by it would never exist. */
export function kindOfIds(name: string): IdKind {
  const kind = KINDS.get(name);
  if (kind !== undefined) return kind;
  throw new Error(`ids called "${name}" are not known to test/fuzz: name their kind in ids.ts`);
}

/** An id that nothing has. */
export function nothing(name: string): string {
  return `${kindOfIds(name)}_${'0'.repeat(26)}`;
}

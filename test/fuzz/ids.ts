import fc from 'fast-check';
import type { IdKind } from '../../src/platform/ids.ts';

/** Prefixes of ids by their name in paths, queries and responses; UUIDs have none. */
const KINDS: ReadonlyMap<string, IdKind | 'UUID'> = new Map([
  ['transaction_id', 'txn'],
  ['endpoint_id', 'whk'],
  ['delivery_id', 'dlv'],
  ['replay_id', 'rpl'],
  ['schedule_id', 'UUID'],
]);

/** A valid id that does not exist. */
export function nothing(name: string): string {
  const kind = kindOfIds(name);
  return kind === 'UUID' ? '00000000-0000-4000-8000-000000000000' : `${kind}_${'0'.repeat(26)}`;
}

/** Random ids in the format of this name. Throws on an unknown name: its ids never exist. */
export function idsCalled(name: string): fc.Arbitrary<string> {
  const kind = kindOfIds(name);
  if (kind === 'UUID') return fc.uuid();
  return fc.stringMatching(/^[0-9a-hjkmnp-tv-z]{26}$/).map((body) => `${kind}_${body}`);
}

// Helpers

function kindOfIds(name: string): IdKind | 'UUID' {
  const kind = KINDS.get(name);
  if (kind !== undefined) return kind;
  throw new Error(`ids called "${name}" are not known to test/fuzz: name their kind in ids.ts`);
}

import { randomBytes } from 'node:crypto';
import { MODES, SCOPES, type Scope } from './world.ts';

/**
 * Whose is what. Every text a shop gives holds the mark of the shop and mode; ids and addresses are entered when they are
 * first answered. A text that is then found in an answer to anybody else has leaked.
 */
export interface Ledger {
  markOf(scope: Scope): string;
  /** The ids a scope was answered as the field `name`, oldest first; of those that were retired, the latest comes last. */
  idsOf(scope: Scope, name: string): readonly string[];
  /** Notes whose a word is, which may be nobody's; under `name`, where others may ask for it by that. Billing payments have two owners. */
  enter(word: string, scopes: readonly Scope[], name?: string): void;
  /** What `scope` has deleted or ended is hardly worth asking for; it stays whose it was. */
  retire(word: string, scope: Scope, name: string): void;
  /** The words of `text` that somebody has, but none of `readers`. */
  leaksIn(text: string, readers: readonly Scope[]): string[];
  ownersOf(word: string): readonly Scope[];
}

export function createLedger(): Ledger {
  const owners = new Map<string, readonly Scope[]>();
  const ids = new Map<string, string[]>();
  const retired = new Map<string, readonly string[]>();
  const marks = new Map(SCOPES.map((scope) => [scope, `mark${randomBytes(6).toString('hex')}`]));
  for (const [scope, mark] of marks) owners.set(mark, [scope]);

  function enter(word: string, scopes: readonly Scope[], name?: string): void {
    if (owners.has(word)) return;
    owners.set(word, scopes);
    if (name === undefined) return;
    for (const scope of scopes) {
      const key = `${scope} ${name}`;
      const known = ids.get(key);
      if (known === undefined) ids.set(key, [word]);
      else known.push(word);
    }
  }

  return {
    enter,
    markOf: (scope) => marks.get(scope) ?? '',
    idsOf(scope, name) {
      const [living = [], gone = []] = [ids.get(`${scope} ${name}`), retired.get(`${scope} ${name}`)];
      return gone.length === 0 ? living : [...living, ...gone];
    },
    retire(word, scope, name) {
      const key = `${scope} ${name}`;
      const living = ids.get(key) ?? [];
      if (!living.includes(word)) return;
      ids.set(
        key,
        living.filter((id) => id !== word),
      );
      retired.set(key, [word]);
    },
    ownersOf: (word) => owners.get(word) ?? [],
    leaksIn(text, readers) {
      const words = new Set([WORDS, MARKS, UUIDS].flatMap((kind) => text.match(kind) ?? []));
      return [...words].filter((word) => {
        const whose = owners.get(word);
        return whose !== undefined && !whose.some((scope) => readers.includes(scope));
      });
    },
  };
}

/** The scope a key reads; null for one that reads nothing. Key names are like `ann.sk_test`. */
export function scopeOfKey(name: string): Scope | null {
  const [shop, kind = ''] = name.split('.');
  if (kind === 'revoked' || kind === 'elsewhere') return null;
  const mode = MODES.find((each) => kind.split('_').includes(each));
  return SCOPES.find((scope) => scope === `${shop}.${mode}`) ?? null;
}

// Helpers

/** Ids, addresses and keys, wherever they stand. */
const WORDS = /\w{12,}/g;
/** Marks, also inside of longer words. */
const MARKS = /mark[0-9a-f]{12}/g;
const UUIDS = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

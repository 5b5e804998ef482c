import { randomBytes } from 'node:crypto';
import { MODES, SCOPES, type Scope } from './fixtures.ts';

/**
 * Records who owns which text. Every text a shop submits contains the mark of the shop and mode;
 * ids and addresses are recorded when they are first returned. Such a text in a response to any
 * other scope has leaked.
 */
export interface Ledger {
  markOf(scope: Scope): string;
  /**
   * The ids returned to a scope as the field `name`, oldest first; of the retired ones only the
   * latest, at the end.
   */
  idsOf(scope: Scope, name: string): readonly string[];
  /**
   * Records the owners of a word, possibly none; with `name`, other scopes may request it by that
   * name. Billing payments have two owners.
   */
  enter(word: string, scopes: readonly Scope[], name?: string): void;
  /**
   * Ids that `scope` has deleted or ended are rarely worth requesting; their owner stays recorded.
   */
  retire(word: string, scope: Scope, name: string): void;
  /** The words of `text` that are recorded but belong to none of `readers`. */
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

/** The scope that a key may read; null for none. Key names look like `ann.sk_test`. */
export function scopeOfKey(name: string): Scope | null {
  const [shop, kind = ''] = name.split('.');
  if (kind === 'revoked' || kind === 'elsewhere') return null;
  const mode = MODES.find((each) => kind.split('_').includes(each));
  return SCOPES.find((scope) => scope === `${shop}.${mode}`) ?? null;
}

// Helpers

/** Ids, addresses and keys anywhere in a text. */
const WORDS = /\w{12,}/g;
/** Marks, even inside longer words. */
const MARKS = /mark[0-9a-f]{12}/g;
const UUIDS = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

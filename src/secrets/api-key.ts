import { createHash } from 'node:crypto';
import { randomBase62 } from './random.ts';

/** A secret key calls the API from a server; a publishable key only opens hosted checkouts from a browser. */
export type ApiKeyKind = 'secret' | 'publishable';
/** A live key uses the live networks, a test key never touches a live wallet. */
export type KeyMode = 'live' | 'test';

/** What an API key's prefix says about it. */
export interface ApiKeyClaim {
  readonly kind: ApiKeyKind;
  readonly mode: KeyMode;
}

/** A new API key: its prefix and 43 random letters and digits, which is 256 bits. Shown once, then only hashed. */
export function newApiKey(kind: ApiKeyKind, mode: KeyMode): string {
  return `${PREFIXES[kind][mode]}${randomBase62(API_KEY_CHARACTERS)}`;
}

/**
 * How a key is stored and looked up: SHA-256 in lower-case hex. A slow password hash would add nothing to
 * 256 random bits and would cost every request.
 */
export function hashApiKey(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** What kind of key the text claims to be, by its prefix alone; null when it is no API key of ours. */
export function parseApiKey(text: string): ApiKeyClaim | null {
  for (const kind of ['secret', 'publishable'] as const) {
    for (const mode of ['live', 'test'] as const) {
      const prefix = PREFIXES[kind][mode];
      if (text.startsWith(prefix) && text.length > prefix.length) return { kind, mode };
    }
  }
  return null;
}

// Helpers

const API_KEY_CHARACTERS = 43;

const PREFIXES: { readonly [K in ApiKeyKind]: { readonly [M in KeyMode]: string } } = {
  secret: { live: 'sk_live_', test: 'sk_test_' },
  publishable: { live: 'pk_live_', test: 'pk_test_' },
};

import { createHash } from 'node:crypto';
import type { Mode } from '../../../machines/index.ts';
import { randomBase62 } from './random.ts';

/** `secret` calls the API from a server, `publishable` only opens hosted checkouts in a browser. */
export type ApiKeyKind = 'secret' | 'publishable';

/** A new API key: prefix and 43 random letters and digits (256 bits). Shown once, then hashed. */
export function newApiKey(kind: ApiKeyKind, mode: Mode): string {
  return `${PREFIXES[kind][mode]}${randomBase62(API_KEY_CHARACTERS)}`;
}

/**
 * The hash under which a key is stored and looked up: SHA-256 in lower-case hex. A slow password
 * hash would add nothing to 256 random bits, but would slow down every request.
 */
export function hashApiKey(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

// Helpers

const API_KEY_CHARACTERS = 43;

const PREFIXES: { readonly [K in ApiKeyKind]: { readonly [M in Mode]: string } } = {
  secret: { live: 'sk_live_', test: 'sk_test_' },
  publishable: { live: 'pk_live_', test: 'pk_test_' },
};

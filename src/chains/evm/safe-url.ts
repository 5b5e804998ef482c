import { TerminalError } from '../../errors.ts';

/** A node's URL taken apart. Providers put their API keys into user, path or query, so only `safeUrl` may be shown. */
export interface EndpointUrl {
  readonly origin: string;
  /** Path and query, as they are sent. */
  readonly path: string;
  /** Scheme and host. */
  readonly safeUrl: string;
  /** Value of the `authorization` header; null without user and password. */
  readonly authorization: string | null;
  /** Removes every part of the URL that may be a secret from a text written by the node. */
  redact(text: string): string;
}

/** Shorter pieces of a URL (`v2`, `rpc`) are no secrets, and would blot out half of a sentence. */
const SECRET_MIN_CHARACTERS = 4;
const BLOT = '***';

/** Throws `TerminalError` `NODE_URL_INVALID`, which does not repeat the text. */
export function splitEndpointUrl(text: string): EndpointUrl {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new TerminalError(
      'NODE_URL_INVALID',
      'the URL of an Ethereum node must look like https://host/path or http://127.0.0.1:8545',
    );
  }
  const user = decodeOrKeep(url.username);
  const password = decodeOrKeep(url.password);
  const path = `${url.pathname}${url.search}`;
  const secrets = secretsOf([user, password, url.username, url.password, path, ...path.split(/[/?&=#]/)]);
  return {
    origin: url.origin,
    path,
    safeUrl: url.origin,
    authorization:
      user === '' && password === '' ? null : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    redact: (shown) => secrets.reduce((clean, secret) => clean.replaceAll(secret, BLOT), shown),
  };
}

// Helpers

/** Longest first, so that a piece inside a longer one leaves nothing of it standing. */
function secretsOf(pieces: readonly string[]): readonly string[] {
  const long = [...pieces, ...pieces.map(decodeOrKeep)].filter((piece) => piece.length >= SECRET_MIN_CHARACTERS);
  return [...new Set(long)].sort((a, b) => b.length - a.length);
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign: the text is meant as it stands.
    return text;
  }
}

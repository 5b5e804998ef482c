import { TerminalError } from '../../platform/errors.ts';
import { decodeOrKeep } from '../../platform/text.ts';
import { basicAuthorization, type RpcEndpoint } from './post-json.ts';

/**
 * A node's URL in parts. API keys may be in user, path or query, so only `safeUrl` may be shown:
 * scheme and host. `redact` removes all parts that may be secret from a text returned by the node.
 */
export type EndpointUrl = Required<RpcEndpoint>;

/** Shorter parts of a URL (`v2`, `rpc`) are not secret; replacing them would garble messages. */
const SECRET_MIN_CHARACTERS = 4;
const REDACTED = '***';

/**
 * Throws `TerminalError` `NODE_URL_INVALID`, whose message does not contain the URL.
 *
 * @param expected The message: which form the URL must have.
 */
export function splitEndpointUrl(text: string, expected: string): EndpointUrl {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new TerminalError('NODE_URL_INVALID', expected);
  }
  const user = decodeOrKeep(url.username);
  const password = decodeOrKeep(url.password);
  const path = `${url.pathname}${url.search}`;
  const secrets = secretsOf([user, password, url.username, url.password, path, ...path.split(/[/?&=#]/)]);
  return {
    origin: url.origin,
    path,
    safeUrl: url.origin,
    authorization: basicAuthorization(user, password),
    redact: (shown) => secrets.reduce((clean, secret) => clean.replaceAll(secret, REDACTED), shown),
  };
}

// Helpers

/** Longest first, so that replacing a short part does not leave the rest of a longer one. */
function secretsOf(pieces: readonly string[]): readonly string[] {
  const long = [...pieces, ...pieces.map(decodeOrKeep)].filter((piece) => piece.length >= SECRET_MIN_CHARACTERS);
  return [...new Set(long)].sort((a, b) => b.length - a.length);
}

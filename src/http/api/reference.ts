import { createHash } from 'node:crypto';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type Body, compressPage, type Encoding, encodingFor } from '../plugins/index.ts';
import { describeApi } from './openapi.ts';

/**
 * The API reference for developers, to be registered at the root:
 *
 * - GET /docs           the page; it loads everything from this service and may contact no other
 *   host
 * - GET /openapi.json   the OpenAPI document that it shows, for code generators and other tools
 *
 * Both are public: they contain nothing that is not in the source.
 */
export const apiReference: FastifyPluginAsync<{ readonly version: string }> = async (app, { version }) => {
  // The page's script is several megabytes of text, so it is loaded with the server
  // only, not with every command.
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  let described: Promise<LargeText> | null = null;
  let script: LargeText | null = null;

  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    // Generated on the first request, so that it does not slow down the start.
    described ??= describeApi({ version }).then((document) => createLargeText(JSON.stringify(document)));
    reply.headers({
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    reply.type('application/json; charset=utf-8');
    return reply.send(await bodyOf(await described, request, reply));
  });

  await app.register(async (pages) => {
    pages.addHook('onSend', async (request, reply, payload) => {
      reply.headers(PAGE_HEADERS);
      const isType = (type: string) => String(reply.getHeader('content-type')).startsWith(type);
      const isPage = typeof payload === 'string' && isType('text/html');
      reply.header('content-security-policy', policy(isPage ? inlineScripts(payload) : []));
      if (typeof payload !== 'string' || !isType('application/javascript')) return payload;
      script ??= createLargeText(payload);
      return bodyOf(script, request, reply);
    });
    await pages.register(scalar, { routePrefix: '/docs', configuration: CONFIGURATION });
  });
};

// Helpers

const TAG_CHARACTERS = 16;

/** A constant text, compressed once for each encoding, on the first request for it. */
interface LargeText {
  readonly tag: string;
  in(encoding: Encoding | null): Promise<Body>;
}

function createLargeText(text: string): LargeText {
  const bodies = new Map<Encoding | null, Promise<Body>>();
  return {
    tag: `"${createHash('sha256').update(text).digest('hex').slice(0, TAG_CHARACTERS)}"`,
    in(encoding) {
      const body = bodies.get(encoding) ?? compressPage(text, encoding);
      bodies.set(encoding, body);
      return body;
    },
  };
}

/** Sets the headers of a text and returns its bytes: none for a client that has them already. */
async function bodyOf(text: LargeText, request: FastifyRequest, reply: FastifyReply): Promise<Buffer | null> {
  reply.headers({ etag: text.tag, vary: 'accept-encoding' });
  if (request.headers['if-none-match']?.includes(text.tag) === true) {
    reply.code(304);
    return null;
  }
  const { bytes, encoding } = await text.in(encodingFor(request.headers['accept-encoding']));
  if (encoding !== null) reply.header('content-encoding', encoding);
  return bytes;
}

/**
 * Everything that would contact other hosts is off: fonts, proxy, telemetry, assistants, accounts.
 */
const CONFIGURATION = {
  // Relative, for services behind a proxy that adds a prefix.
  url: '../openapi.json',
  pageTitle: 'Quittance API reference',
  favicon: `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#1f6f54"/></svg>')}`,
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: false,
  // A secret key does not belong in a browser, so requests are shown but cannot be sent.
  hideTestRequestButton: true,
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
} as const;

const PAGE_HEADERS = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
};

/**
 * CSP level 3. The page writes its own styles; its scripts are its file and its inline
 * scripts, allowed by their hashes.
 */
function policy(scripts: readonly string[]): string {
  const hashes = scripts.map((script) => ` 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self'${hashes.join('')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function inlineScripts(page: string): string[] {
  return [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>(.*?)<\/script>/gs)].map(([, script = '']) => script);
}

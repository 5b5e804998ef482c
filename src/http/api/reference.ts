import { createHash } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
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
  let described: ReturnType<typeof describe> | null = null;

  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    // Generated on the first request, so that it does not slow down the start.
    described ??= describe(version);
    const { text, tag } = await described;
    reply.headers({
      etag: tag,
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });

  await app.register(async (pages) => {
    pages.addHook('onSend', async (_request, reply, payload) => {
      reply.headers(PAGE_HEADERS);
      const isPage = typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html');
      reply.header('content-security-policy', policy(isPage ? inlineScripts(payload) : []));
      return payload;
    });
    await pages.register(scalar, { routePrefix: '/docs', configuration: CONFIGURATION });
  });
};

// Helpers

const TAG_CHARACTERS = 16;

async function describe(version: string): Promise<{ readonly text: string; readonly tag: string }> {
  const text = JSON.stringify(await describeApi({ version }));
  return { text, tag: `"${createHash('sha256').update(text).digest('hex').slice(0, TAG_CHARACTERS)}"` };
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

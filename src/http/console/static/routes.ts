import { createHash } from 'node:crypto';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { MAIL_STYLES } from '../../../mail/index.ts';
import { appFolder } from './folders.ts';
import { type AppFile, loadFiles } from './load-files.ts';

interface StaticOptions {
  /** The folder of the built pages; by default next to the compiled service. */
  readonly folder?: string;
}

/**
 * The pages of the console under `/console`. A path without a dot in its last segment is a page,
 * known or not: the browser program shows it or reports that it does not exist. Everything else is
 * a built file, or 404. Rejects when the pages were not built.
 */
export const staticRoutes: FastifyPluginAsync<StaticOptions> = async (app, { folder = appFolder() }) => {
  const files = loadFiles(folder);
  const index = files.get('index.html');
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers(APP_HEADERS);
  });
  app.get('/console', async (_request, reply) => reply.redirect('/console/', 308));
  app.get<{ Params: { '*': string } }>('/console/*', async (request, reply) => {
    const path = request.params['*'];
    const file = files.get(path) ?? (isPage(path) ? index : undefined);
    return file === undefined ? sendMissing(reply) : sendFile(request, reply, file);
  });
};

// Helpers

/** Paths that start with `api` belong to the API: a misspelt request must not return a page. */
function isPage(path: string): boolean {
  return !/^(api|assets)(\/|$)/.test(path) && !/\.[^/]*$/.test(path);
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: AppFile): FastifyReply {
  void reply.headers({
    'cache-control': file.isHashed ? KEPT_FOR_EVER : ASKED_EACH_TIME,
    'content-type': file.contentType,
    etag: file.etag,
    vary: 'accept-encoding',
  });
  if (request.headers['if-none-match']?.includes(file.etag)) return reply.code(304).send();
  if (file.gzipped === null || !takesGzip(request)) return reply.send(file.content);
  return reply.header('content-encoding', 'gzip').send(file.gzipped);
}

/** False for `gzip;q=0` (RFC 9110, 12.5.3). */
function takesGzip({ headers }: FastifyRequest): boolean {
  const accepted = String(headers['accept-encoding'] ?? '').split(',');
  return accepted.some((coding) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$)[\d.]+)?\s*$/i.test(coding));
}

function sendMissing(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
    .send({ error: 'NOT_FOUND', message: 'Nothing found at this address.' });
}

/**
 * Previews of emails inherit the policy of their page, so it permits exactly the styles of emails.
 */
const MAIL_STYLE_HASHES = MAIL_STYLES.map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`);

/**
 * Headers of every file of the console. Pages need only their own files and the API, nothing
 * inline but the styles of emails, and may not be framed (CSP level 3).
 */
const APP_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'unsafe-hashes' ${MAIL_STYLE_HASHES.join(' ')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
};

/** For files with a content hash in their name. */
const KEPT_FOR_EVER = 'public, max-age=31536000, immutable';
/** For files with a fixed name: revalidated on each request, with 304 while unchanged. */
const ASKED_EACH_TIME = 'no-cache';

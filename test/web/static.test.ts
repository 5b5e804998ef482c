import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staticRoutes } from '../../src/http/console/static/routes.ts';
import { MAIL_STYLES } from '../../src/mail/index.ts';

const SCRIPT = 'console.log("quittance");'.repeat(100);

describe('the static files of the console', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  let app: FastifyInstance;
  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Quittance</title>');
    writeFileSync(join(folder, 'assets', 'index-abc123.js'), SCRIPT);
    writeFileSync(join(folder, 'sources.sha256'), 'not for anybody');
    app = fastify();
    await app.register(staticRoutes, { folder });
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  test.each(['/console/', '/console/actors', '/console/actors/transaction%3Atra_1?at=3', '/console/sign-up/confirm'])(
    'serves %s with the app, revalidated on each request',
    async (url) => {
      const { statusCode, headers, body } = await app.inject(url);
      expect(statusCode).toBe(200);
      expect(body).toContain('<title>Quittance');
      expect(headers['cache-control']).toBe('no-cache');
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
      const mailStyles = MAIL_STYLES.map((style) => `'sha256-${hash('sha256', style, 'base64')}'`);
      expect(headers['content-security-policy']).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-hashes' ${mailStyles.join(' ')}; ` +
          "img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
          "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
    },
  );

  test('serves a content-hashed file as immutable', async () => {
    const { headers, body } = await app.inject('/console/assets/index-abc123.js');
    expect(body).toBe(SCRIPT);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  test.each([
    '/console/assets/index-old.js',
    '/console/assets/nothing',
    '/console/sources.sha256',
    '/console/api/misspelt',
    '/console/..%2f..%2fpackage.json',
    '/console/%2e%2e/package.json',
    '/console/favicon.ico',
  ])('returns 404 for %s', async (url) => {
    const { statusCode, headers } = await app.inject(url);
    expect(statusCode).toBe(404);
    expect(headers['content-type']).toContain('application/json');
  });

  test('returns 304 while the file is unchanged', async () => {
    const first = await app.inject('/console/');
    const etag = String(first.headers.etag);
    const again = await app.inject({ url: '/console/', headers: { 'if-none-match': etag } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test.each([
    ['gzip', true],
    ['br;q=1, gzip;q=0.5', true],
    ['gzip;q=0', false],
    ['br', false],
    ['', false],
  ])('for Accept-Encoding "%s" compresses: %s', async (accepted, isShort) => {
    const response = await app.inject({
      url: '/console/assets/index-abc123.js',
      headers: { 'accept-encoding': accepted },
    });
    expect(response.headers['content-encoding']).toBe(isShort ? 'gzip' : undefined);
    expect((isShort ? gunzipSync(response.rawPayload) : response.rawPayload).toString()).toBe(SCRIPT);
  });

  test('redirects /console to /console/', async () => {
    const { statusCode, headers } = await app.inject('/console');
    expect([statusCode, headers.location]).toEqual([308, '/console/']);
  });

  test('explains how to build it when no build exists', async () => {
    const bare = fastify();
    await expect(bare.register(staticRoutes, { folder: join(folder, 'nothing') })).rejects.toThrow('npm run build');
    await bare.close();
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Resolve } from '../../src/webhooks/guard/index.ts';
import { createEmbeddedDatabase, type TestDatabase } from '../support/database.ts';
import { PATIENCE } from '../support/engine.ts';
import { startReceiver } from '../support/receiver.ts';
import { requireOrSkip } from '../support/skip.ts';
import {
  addEndpoint,
  attemptsOf,
  createMerchant,
  deliveryOf,
  LOOPBACK,
  raiseEvent,
  startWebhookService,
} from './harness.ts';

const OPENSSL = 'openssl';
const describeTls = requireOrSkip(hasOpenssl(), 'the openssl command is missing', 'apt-get install openssl');

const HOST = 'hooks.shop.example';
const toLoopback: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];

describeTls('webhooks over https', () => {
  let database: TestDatabase;
  let folder: string;
  const opened: { close?: () => Promise<void>; stop?: () => Promise<void> }[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-tls-'));
    database = await createEmbeddedDatabase();
  });
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await (each.stop ?? each.close)?.();
    await database.db.deleteFrom('timer').execute();
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  /** A certificate signed by itself. */
  function certify(name: string): { key: string; cert: string } {
    const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
    execFileSync(OPENSSL, [...args, ...names, '-keyout', key, '-out', cert], { stdio: 'pipe' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  }

  async function firstAttempt(port: number, certificateAuthorities: readonly string[]) {
    const merchantId = await createMerchant(database);
    const { secret } = await addEndpoint(database, { merchantId, url: `https://${HOST}:${port}/hook` });
    const webhooks = { ...LOOPBACK, allowHttp: false };
    const service = await startWebhookService({
      connection: database,
      resolve: toLoopback,
      webhooks,
      certificateAuthorities,
    });
    opened.push(service);
    const event = await raiseEvent(service, database, { merchantId });
    const delivery = await vi.waitFor(async () => {
      const found = await deliveryOf(database, event.id);
      expect(found.state).not.toBe('sending');
      return found;
    }, PATIENCE);
    const [attempt] = await attemptsOf(database, delivery.id);
    return { delivery, attempt, secret };
  }

  async function start(tls: { key: string; cert: string }) {
    const receiver = await startReceiver({ tls });
    opened.push(receiver);
    return receiver;
  }

  test('a receiver with a trusted certificate for its name gets them', async () => {
    const tls = certify(HOST);
    const receiver = await start(tls);
    const { delivery } = await firstAttempt(receiver.port, [tls.cert]);
    expect(delivery).toMatchObject({ state: 'delivered', last_status: 200 });
    expect(receiver.requests[0]?.headers.host).toBe(`${HOST}:${receiver.port}`);
  });

  test('a certificate nobody vouches for gets nothing', async () => {
    const receiver = await start(certify(HOST));
    const { delivery, attempt } = await firstAttempt(receiver.port, []);
    expect(delivery).toMatchObject({ state: 'waiting', last_failure: 'tls', last_status: null });
    expect(attempt?.failure_detail).toContain('SELF_SIGNED_CERT');
    expect(receiver.requests).toEqual([]);
  });

  test('a certificate for another name gets nothing', async () => {
    const tls = certify('other.example');
    const receiver = await start(tls);
    const { delivery } = await firstAttempt(receiver.port, [tls.cert]);
    expect(delivery).toMatchObject({ state: 'waiting', last_failure: 'tls' });
    expect(receiver.requests).toEqual([]);
  });

  test('a server that speaks only TLS 1.1 gets nothing', async () => {
    const tls = certify(HOST);
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const server = createServer({ ...tls, ...old }, (socket) => socket.destroy());
    server.on('tlsClientError', () => undefined);
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    opened.push({ close: () => new Promise((resolve) => server.close(() => resolve())) });
    const { delivery } = await firstAttempt(port, [tls.cert]);
    expect(delivery).toMatchObject({ state: 'waiting', last_failure: 'tls' });
  });
});

// Helpers

function hasOpenssl(): boolean {
  try {
    execFileSync(OPENSSL, ['version'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Resolve } from '../../src/webhooks/guard/resolve.ts';
import { createPostgresDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { createOpened } from '../support/opened.ts';
import { startReceiver } from '../support/outside/receiver.ts';
import { describeWith } from '../support/run/components.ts';
import { firstAttempt } from './first-attempt.ts';
import { LOOPBACK, startWebhookService } from './harness.ts';

const OPENSSL = 'openssl';
const describeTls = describeWith('openssl', 'postgres');

const HOST = 'hooks.shop.example';
const toLoopback: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];

describeTls('webhooks over https', () => {
  let database: TestDatabase;
  let folder: string;
  const opened = createOpened();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-tls-'));
    database = await createPostgresDatabase();
  });
  afterEach(async () => {
    await opened.closeAll();
    await database.db.deleteFrom('timer').execute();
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  /** A self-signed certificate. */
  function certify(name: string): { key: string; cert: string } {
    const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
    execFileSync(OPENSSL, [...args, ...names, '-keyout', key, '-out', cert], { stdio: 'pipe' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  }

  /** A self-signed certificate, valid between the two times, given as YYYYMMDDHHMMSSZ. */
  function certifyBetween(name: string, from: string, until: string): { key: string; cert: string } {
    const [key, csr, cert] = ['key', 'csr', 'crt'].map((end) => join(folder, `${name}-${from}.${end}`)) as [
      string,
      string,
      string,
    ];
    const settings = join(folder, `${from}.cnf`);
    writeFileSync(join(folder, `${from}.index`), '');
    writeFileSync(
      settings,
      `[ca]\ndefault_ca=d\n[d]\ndatabase=${join(folder, `${from}.index`)}\nnew_certs_dir=${folder}\nrand_serial=yes\n` +
        'default_md=sha256\ncopy_extensions=copy\npolicy=p\n[p]\ncommonName=supplied\n',
    );
    const request = ['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
    const sign = [
      'ca',
      '-batch',
      '-notext',
      '-selfsign',
      '-config',
      settings,
      '-in',
      csr,
      '-keyfile',
      key,
      '-out',
      cert,
    ];
    execFileSync(OPENSSL, [...request, ...names, '-keyout', key, '-out', csr], { stdio: 'pipe' });
    execFileSync(OPENSSL, [...sign, '-startdate', from, '-enddate', until], { stdio: 'pipe' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  }

  async function attemptTo(port: number, certificateAuthorities: readonly string[]) {
    const webhooks = { ...LOOPBACK, allowHttp: false, allowPorts: [] };
    const options = { connection: database, resolve: toLoopback, webhooks, certificateAuthorities };
    const service = await startWebhookService(options);
    opened.push(service);
    return firstAttempt(service, database, `https://${HOST}:${port}/hook`);
  }

  async function start(tls: { key: string; cert: string }) {
    const receiver = await startReceiver({ tls });
    opened.push(receiver);
    return receiver;
  }

  test('are received with a trusted certificate for the name', async () => {
    const tls = certify(HOST);
    const receiver = await start(tls);
    const { delivery, attempt } = await attemptTo(receiver.port, [tls.cert]);
    expect(delivery).toMatchObject({ state: 'delivered', last_status: 200 });
    expect(receiver.requests[0]?.headers.host).toBe(`${HOST}:${receiver.port}`);
    expect(attempt).toMatchObject({ peer_address: '127.0.0.1', failure: null, response_body: 'thanks' });
    for (const part of [attempt.dns_ms, attempt.connect_ms, attempt.tls_ms, attempt.first_byte_ms]) {
      expect(part).toBeGreaterThanOrEqual(0);
    }
  });

  test('are not sent to an untrusted certificate', async () => {
    const receiver = await start(certify(HOST));
    const { delivery, attempt } = await attemptTo(receiver.port, []);
    expect(delivery).toMatchObject({ state: 'waiting', last_failure: 'tls', last_status: null });
    expect(attempt.failure_detail).toContain('SELF_SIGNED_CERT');
    // The peer address is known, and nothing was sent to it.
    expect(attempt).toMatchObject({ failure: 'tls', peer_address: '127.0.0.1', request_headers: null, tls_ms: null });
    expect(attempt.connect_ms).not.toBeNull();
    expect(receiver.requests).toEqual([]);
  });

  test('are not sent to a certificate for another name', async () => {
    const tls = certify('other.example');
    const receiver = await start(tls);
    const { delivery, attempt } = await attemptTo(receiver.port, [tls.cert]);
    expect(delivery).toMatchObject({ state: 'waiting', last_failure: 'tls' });
    expect(attempt.failure_detail).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(receiver.requests).toEqual([]);
  });

  test.each([
    ['has expired', '20200101000000Z', '20200102000000Z', 'CERT_HAS_EXPIRED'],
    ['is not valid yet', '20980101000000Z', '20990101000000Z', 'CERT_NOT_YET_VALID'],
  ])('are not sent to a trusted certificate that %s', async (_, from, until, code) => {
    const tls = certifyBetween(HOST, from, until);
    const receiver = await start(tls);
    const { delivery, attempt } = await attemptTo(receiver.port, [tls.cert]);
    expect(delivery).toMatchObject({ state: 'waiting', last_failure: 'tls' });
    expect(attempt.failure_detail).toContain(code);
    expect(receiver.requests).toEqual([]);
  });

  test('are not sent to a server that supports only TLS 1.1', async () => {
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
    const { delivery } = await attemptTo(port, [tls.cert]);
    expect(delivery).toMatchObject({ state: 'waiting', last_failure: 'tls' });
  });
});

import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createClient, type PaymentWebhook, verifyWebhook } from '../../../src/client/index.ts';
import { createPostgresDatabase } from '../../support/database/test-database.ts';
import { type Receiver, startReceiver } from '../../support/outside/receiver.ts';
import { describeWith } from '../../support/run/components.ts';
import { provideNode, TESTED_NODE_MAJORS } from '../../support/run/node-versions.ts';
import { requireOrSkip } from '../../support/run/skip.ts';
import { provideNats } from '../../support/service/nats.ts';
import { PACKAGED, runCommand, servedUrl } from '../cli/command.ts';
import { runSuites } from '../run-suites.ts';

const SUITES = ['test/machines', 'test/platform/engine', 'test/client'];
const NATIVE_PACKAGES = ['@node-rs/argon2', 'zeromq'];
/** The suites take about a minute alone, and several minutes next to other tests. */
const SUITES_TIMEOUT_MS = 900_000;

const describeServers = describeWith('postgres', 'nats');

// The rest of this run covers its own version.
const otherMajors = TESTED_NODE_MAJORS.filter((major) => !process.version.startsWith(`v${major}.`));

for (const major of otherMajors) {
  const node = await provideNode(major);
  const describeNode = node.isThere ? describeServers : requireOrSkip(false, node.missing, node.remedy);

  describeNode(`Node ${major}`, () => {
    const path = node.isThere ? node.path : '';

    test('loads the native packages', async () => {
      const load = `for (const name of ${JSON.stringify(NATIVE_PACKAGES)}) await import(name)`;
      const run = promisify(execFile)(path, ['--input-type=module', '--eval', load]);
      expect(await run).toEqual({ stdout: '', stderr: '' });
    });

    test('runs the built service, which accepts a test payment and sends its webhook', async () => {
      const receiver = await startReceiver();
      onTestFinished(() => receiver.close());
      const { url, secrets, stop } = await startService(path, receiver);
      receiver.trust(secrets.webhookSecret);

      const client = createClient({ baseUrl: `${url}/v1`, apiKey: secrets.testKey });
      const created = await client.create({ crypto: 'LTC', amount: 25, currency_fiat: 'EUR' });
      const params = { transaction_id: created.transaction_id };
      for (const action of ['pay', 'confirm'] as const) {
        await client.api.simulateTransaction({ params, body: { action } });
      }
      await expect
        .poll(async () => (await client.get(created.transaction_id)).status, { timeout: 30_000 })
        .toBe('completed');
      await expect.poll(() => receiver.requests.length, { timeout: 30_000 }).toBe(1);

      const [webhook] = receiver.requests;
      expect(webhook).toMatchObject({ isServiceSignatureValid: true, isStandardSignatureValid: true });
      const event = verifyWebhook(webhook?.body ?? '', webhook?.headers ?? {}, secrets.webhookSecret, {
        mode: 'test',
      }) as PaymentWebhook;
      expect(event).toMatchObject({ event: 'payment.completed', transaction_id: created.transaction_id });
      // Node prints deprecations to stderr; a healthy service prints nothing there.
      expect(await stop()).toMatchObject({ code: 0, stderr: '' });
    });

    test(
      `passes the suites of ${SUITES.join(', ')}`,
      async () => {
        const { code, files, notPassed, output } = await runSuites(path, SUITES);
        expect(notPassed).toEqual([]);
        expect(code, output).toBe(0);
        expect(files).toEqual(quickFilesIn(SUITES));
      },
      SUITES_TIMEOUT_MS,
    );
  });
}

// Helpers

/** Starts the program on this binary with a separate database, NATS stream and merchant. */
async function startService(node: string, receiver: Receiver) {
  const cwd = await mkdtemp(join(tmpdir(), 'quittance-node-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const database = await createPostgresDatabase();
  onTestFinished(() => database.drop());
  const nats = provideNats();
  onTestFinished(() => nats.cleanUp());

  const shop = {
    name: 'Corner shop',
    email: 'owner@shop.example',
    webhooks: [{ url: receiver.url, events: ['payment.completed'] }],
  };
  await writeFile(join(cwd, 'merchants.json'), JSON.stringify({ merchants: [shop] }));
  const env = {
    PORT: '0',
    DATABASE_URL: database.url ?? '',
    NATS_URL: nats.url,
    NATS_PREFIX: nats.prefix,
    SECRETS_KEY: 'ef'.repeat(32),
    RATES_SOURCES: 'none',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  };
  const command = runCommand(['--provision', 'merchants.json', '--out', 'secrets.json'], {
    cwd,
    env,
    node,
    program: PACKAGED,
  });
  onTestFinished(() => command.kill());

  const url = await servedUrl(command);
  const written = JSON.parse(await readFile(join(cwd, 'secrets.json'), 'utf8')) as {
    readonly merchants: readonly [
      { readonly keys: { readonly sk_test: string }; readonly webhooks: readonly [{ readonly secret: string }] },
    ];
  };
  const [{ keys, webhooks }] = written.merchants;
  return {
    url,
    secrets: { testKey: keys.sk_test, webhookSecret: webhooks[0].secret },
    stop() {
      command.signal('SIGTERM');
      return command.end();
    },
  };
}

function quickFilesIn(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
    .filter((path) => path.endsWith('.test.ts') && !path.endsWith('.full.test.ts'))
    .toSorted();
}

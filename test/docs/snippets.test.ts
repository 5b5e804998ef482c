import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { HOUR_MS } from '../../machines/index.ts';
import { newWebhookSecret } from '../../src/platform/secrets/index.ts';
import type { ReceiverUnderTest } from '../../src/testing/index.ts';
import { checkReceiver } from '../../src/testing/index.ts';
import { webhookHeaders } from '../../src/webhooks/sign.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { POLLING } from '../support/polling.ts';
import { describeWith } from '../support/run/components.ts';
import { level } from '../support/run/level.ts';
import { describeFull } from '../support/run/skip.ts';
import { startApp, type TestApp } from '../support/service/app.ts';
import { ROOT, readDocument } from './markdown.ts';

const SNIPPETS = join(ROOT, 'docs/merchants/snippets');
const SECRET = newWebhookSecret();
const BODY = JSON.stringify({
  id: 'evt_3k7rj0v6m2c9xq5w1t8e4hzn0d',
  event: 'payment.completed',
  mode: 'live',
  timestamp: '2026-11-21T10:12:44.318Z',
  sequence: 3,
  transaction_id: 'txn_9f2m7c1x5q8w3t6v0k4e7hzr2d',
  status: 'completed',
  metadata: { note: 'zażółć' },
});

const describeCurl = describeWith('curl');
// The quick level runs only the examples in curl and TypeScript.
const describePython = level.isFull ? describeWith('python') : describeFull;
const describePhp = level.isFull ? describeWith('php') : describeFull;
const describeOpenssl = level.isFull ? describeWith('openssl') : describeFull;

describe('the documents', () => {
  test('show all snippets as tested', () => {
    const shown = ['docs/merchants/client.md', 'docs/merchants/testing.md'].flatMap((path) => [
      ...readDocument(path).matchAll(/<!-- snippets\/(\S+) -->\n```\w+\n(.*?)^```$/gms),
    ]);
    for (const [, name = '', code] of shown) expect(code, name).toBe(readFileSync(join(SNIPPETS, name), 'utf8'));
    expect(new Set(shown.map(([, name]) => name))).toEqual(new Set(readdirSync(SNIPPETS)));
  });
});

describePostgres('creating a payment', () => {
  let database: TestDatabase;
  let app: TestApp;
  let env: { QUITTANCE_URL: string; QUITTANCE_KEY: string };

  beforeAll(async () => {
    database = await createPostgresDatabase();
    app = await startApp({ connection: database });
    env = { QUITTANCE_URL: await app.listen(), QUITTANCE_KEY: '' };
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  /** Runs it twice for a new merchant: the second run gets the transaction of the first. */
  async function creates(run: () => Promise<string>): Promise<void> {
    env.QUITTANCE_KEY = (await app.addMerchant()).keys.sk_test;
    const [first, again] = [JSON.parse(await run()), JSON.parse(await run())];
    const transaction = 'data' in first ? first.data : first;
    expect(transaction).toMatchObject({ status: 'pending', amount_fiat: 25, metadata: { order: '1042' } });
    expect(again).toEqual(first);
    const path = `/transactions/${transaction.transaction_id}`;
    expect((await app.call({ path, key: env.QUITTANCE_KEY })).status).toBe(200);
  }

  describeCurl('with curl', () => {
    test('creates one payment, also when it is repeated', () => creates(() => output('sh', ['create.sh'], env)));
  });
  describePython('in Python', () => {
    test('creates one payment, also when it is repeated', () => creates(() => output('python3', ['create.py'], env)));
    test('prints the reason of a failure', async () => {
      const wrong = { ...env, QUITTANCE_KEY: 'sk_test_wrong' };
      await expect(output('python3', ['create.py'], wrong)).rejects.toThrow(/UNAUTHORIZED: .*\(req_/);
    });
  });
  describePhp('in PHP', () => {
    test('creates one payment, also when it is repeated', () => creates(() => output('php', ['create.php'], env)));
  });
  describe('in TypeScript', () => {
    test('creates one payment, also when it is repeated', () =>
      creates(async () => {
        const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
        try {
          await load('create.ts', env);
          return String(log.mock.calls[0]?.[0]);
        } finally {
          log.mockRestore();
        }
      }));
  });
});

describe('verifying webhooks', () => {
  test('in TypeScript', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const { server } = await load<{ server: Server }>('verify.ts', { WEBHOOK_SECRET: SECRET, PORT: '0' });
    try {
      if (!server.listening) await once(server, 'listening');
      await takesOnlyGenuine((server.address() as AddressInfo).port);
      expect(log.mock.calls).toEqual([['evt_3k7rj0v6m2c9xq5w1t8e4hzn0d', 'payment.completed']]);
    } finally {
      log.mockRestore();
      server.closeAllConnections();
      server.close();
    }
  });

  describePython('in Python', () => {
    test('accepts valid webhooks and rejects the rest', async () => {
      const child = start('python3', ['verify.py'], { WEBHOOK_SECRET: SECRET, PORT: '0' });
      try {
        const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
        await takesOnlyGenuine(Number(/\d+$/.exec(line)?.[0]));
      } finally {
        await end(child);
      }
    });
  });

  describePhp('in PHP', () => {
    test('accepts valid webhooks and rejects the rest', async () => {
      const port = await freePort();
      const child = start('php', ['-S', `127.0.0.1:${port}`, 'verify.php'], { WEBHOOK_SECRET: SECRET });
      try {
        await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/`, { method: 'POST' }), POLLING);
        await takesOnlyGenuine(port);
      } finally {
        await end(child);
      }
    });
  });

  describeOpenssl('in a shell', () => {
    test('computes the signature of the service', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'quittance-snippet-'));
      try {
        writeFileSync(join(folder, 'body.json'), BODY);
        cpSync(join(SNIPPETS, 'verify.sh'), join(folder, 'verify.sh'));
        const { stdout } = spawnSync('sh', ['verify.sh'], {
          cwd: folder,
          encoding: 'utf8',
          env: { ...process.env, WEBHOOK_SECRET: SECRET },
        });
        expect(stdout).toBe(`${genuineHeaders()['x-service-signature']}\n`);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
});

describe('the receivers of docs/merchants/testing.md', () => {
  interface Shops {
    createShop(secret: string): ReceiverUnderTest;
    createNaiveShop(secret: string): ReceiverUnderTest;
  }

  test('get the documented verdicts: the shop passes, the naive shop does not', async () => {
    // Importing it runs the check of the correct one.
    const { createNaiveShop } = await load<Shops>('check-receiver.ts', {});
    await expect(checkReceiver(createNaiveShop, { seed: 20_261_121 })).rejects.toThrow('a correct one with');
  });
});

// Helpers

/**
 * Imports a snippet with the sources in place of the package, and with `env` set during the import.
 */
async function load<T>(name: string, env: Readonly<Record<string, string>>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-snippet-'));
  const code = readFileSync(join(SNIPPETS, name), 'utf8').replace(
    /'quittance\/(\w+)'/g,
    (_, part: string) => `'${join(ROOT, 'src', part, 'index.ts')}'`,
  );
  writeFileSync(join(folder, name), code);
  for (const [key, value] of Object.entries(env)) vi.stubEnv(key, value);
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(join(folder, name)).href)) as T;
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
}

function start(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  return spawn(program, args, { cwd: SNIPPETS, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function output(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = start(program, args, env);
  const [out, err] = [child.stdout.toArray(), child.stderr.toArray()];
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${(await err).join('')}`);
  return (await out).join('');
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close');
  child.kill();
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function genuineHeaders({ body = BODY, at = Date.now() } = {}): Record<string, string> {
  const event = { webhookEventId: 'evt_3k7rj0v6m2c9xq5w1t8e4hzn0d', event: 'payment.completed', mode: 'live' } as const;
  return webhookHeaders({ ...event, body, endpointId: 'whk_1', attempt: 1, at, secret: SECRET });
}

async function takesOnlyGenuine(port: number): Promise<void> {
  const post = async (headers: Record<string, string>, body: string) =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
  const headers = genuineHeaders();
  expect(await post(headers, BODY)).toBe(204);
  expect(await post(headers, BODY.replace('completed', 'expired'))).toBe(400);
  expect(await post({ 'content-type': 'application/json' }, BODY)).toBe(400);
  const wrong = { 'x-service-signature': `sha256=${'0'.repeat(64)}`, 'webhook-signature': `v1,${'A'.repeat(44)}` };
  expect(await post({ ...headers, ...wrong }, BODY)).toBe(400);
  expect(await post(genuineHeaders({ at: Date.now() - HOUR_MS }), BODY)).toBe(400);
  const ofTest = BODY.replace('"live"', '"test"');
  expect(await post(genuineHeaders({ body: ofTest }), ofTest)).toBe(400);
}

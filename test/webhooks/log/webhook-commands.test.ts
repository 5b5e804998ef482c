import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../machines/index.ts';
import { upsertMerchant } from '../../../src/merchants/index.ts';
import { createSecretBox } from '../../../src/platform/secrets/index.ts';
import { runInProcess } from '../../e2e/run-to-end.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { type Receiver, startReceiver } from '../../support/outside/receiver.ts';
import { POLLING } from '../../support/polling.ts';
import { startWebhookService } from '../harness.ts';

/** At the full level each command is a separate process, and takes seconds on a busy machine. */
const TIMEOUT_MS = 240_000;

const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const hex = (key: Uint8Array) => Buffer.from(key).toString('hex');

interface Made {
  readonly endpoint_id: string;
  readonly url: string;
  readonly secret: string;
}
interface Listed {
  readonly endpoint_id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
  readonly enabled: boolean;
}

describePostgres('quittance webhook, and quittance secrets', () => {
  vi.setConfig({ testTimeout: TIMEOUT_MS });
  let database: TestDatabase;
  let folder: string;
  let receiver: Receiver;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-webhooks-'));
    receiver = await startReceiver();
    database = await createPostgresDatabase();
    await database.db.transaction().execute(async (trx) => {
      await upsertMerchant(trx, { name: 'A shop', email: 'a@shop.test', plan: 'business', settings: {} });
      await upsertMerchant(trx, { name: 'B shop', email: 'b@shop.test', plan: 'starter', settings: {} });
    });
  });
  afterAll(async () => {
    await receiver.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  function run(settings: Readonly<Record<string, string>>, ...args: readonly string[]) {
    const loopback = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };
    const env = { DATABASE_URL: database.url ?? '', DATA_DIR: folder, SECRETS_KEY: hex(OLD), ...loopback, ...settings };
    return runInProcess(args, { cwd: folder, env });
  }
  const webhook = (...args: readonly string[]) => run({}, 'webhook', ...args);
  async function asJson<T>(...args: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await webhook(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as T;
  }
  const list = async (merchant: string) =>
    (await asJson<{ endpoints: Listed[] }>('list', '--merchant', merchant)).endpoints;
  const create = (merchant: string, url: string, ...more: readonly string[]) =>
    asJson<Made>('create', '--merchant', merchant, '--url', url, ...more);
  const opened = async (box = createSecretBox(OLD)) => {
    const rows = await database.db.selectFrom('webhook_endpoint').select(['id', 'sealed_secret']).execute();
    const living = rows.filter(({ sealed_secret: sealed }) => sealed !== '');
    return new Map(living.map(({ id, sealed_secret: sealed }) => [id, box.open(sealed, `webhook:${id}`)]));
  };

  test('manage an endpoint from creation to deletion', async () => {
    const made = await create(
      'A shop',
      receiver.url,
      '--events',
      'payment.completed,payment.failed',
      '--description',
      'Till',
    );
    expect((await opened()).get(made.endpoint_id)).toBe(made.secret);
    const endpoint = ['--merchant', 'A shop', '--endpoint', made.endpoint_id];
    expect(await list('A shop')).toMatchObject([
      { endpoint_id: made.endpoint_id, url: receiver.url, description: 'Till', enabled: true },
    ]);
    expect((await webhook('disable', ...endpoint)).stdout).toBe(`${made.endpoint_id} disabled\n`);
    expect((await webhook('test', ...endpoint)).stderr).toMatch(/disabled; enable it first/);
    expect((await webhook('list', '--merchant', 'A shop')).stdout).toMatch(
      /^ENDPOINT +URL .*\n.* disabled since \d{4}-.* Till\n$/,
    );
    expect((await webhook('enable', ...endpoint)).stdout).toBe(`${made.endpoint_id} enabled\n`);
    expect(
      (await webhook('change', ...endpoint, '--events', 'default', '--disables-itself', 'on', '--max-per-second', '9'))
        .code,
    ).toBe(0);
    const [changed] = await list('A shop');
    expect(changed).toMatchObject({
      description: 'Till',
      disables_itself: true,
      disables_on_gone: false,
      max_per_second: 9,
    });
    expect(changed?.events).not.toContain('payment.created');

    const { stdout } = await webhook('regenerate-secret', ...endpoint);
    const [, secret = ''] = /^whk_\w+ has a new secret; the old one no longer works\n(whsec_\S+)\n/.exec(stdout) ?? [];
    expect((await opened()).get(made.endpoint_id)).toBe(secret);

    const rotated = await asJson<Made>('rotate-secret', ...endpoint, '--overlap', '2');
    expect((await opened()).get(made.endpoint_id)).toBe(rotated.secret);
    const { previous_sealed_secret: previous, previous_secret_until: until } = await database.db
      .selectFrom('webhook_endpoint')
      .select(['previous_sealed_secret', 'previous_secret_until'])
      .where('id', '=', made.endpoint_id)
      .executeTakeFirstOrThrow();
    expect(createSecretBox(OLD).open(previous ?? '', `webhook:${made.endpoint_id}`)).toBe(secret);
    expect(Math.abs((until ?? 0) - (Date.now() + 2 * HOUR_MS))).toBeLessThan(10 * MINUTE_MS);
    const again = await webhook('rotate-secret', ...endpoint);
    expect(again.stdout).toMatch(/^whk_\w+ has a new secret; the old one signs for another 24 h\nwhsec_\S+\n/);
    const [, newest = ''] = /(whsec_\S+)/.exec(again.stdout) ?? [];
    expect((await webhook('rotate-secret', ...endpoint, '--overlap', '25')).stderr).toMatch(/--overlap .*from 1 to 24/);

    receiver.trust(newest);
    const sent = await asJson<{ event_id: string }>('test', ...endpoint, '--event', 'recurring.stopped');
    const service = await startWebhookService({ connection: database, secretBox: createSecretBox(OLD) });
    try {
      await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), POLLING);
      expect(receiver.requests[0]).toMatchObject({
        headers: { 'webhook-id': sent.event_id, 'x-service-event': 'recurring.stopped' },
        isServiceSignatureValid: true,
      });
    } finally {
      await service.stop();
    }
    expect((await webhook('delete', ...endpoint)).stdout).toBe(`${made.endpoint_id} deleted\n`);
    expect((await webhook('list', '--merchant', 'A shop')).stdout).toBe('"A shop" has no webhook endpoints.\n');

    const audit = await database.db
      .selectFrom('audit_entry')
      .selectAll()
      .where('subject_id', '=', made.endpoint_id)
      .orderBy('id')
      .execute();
    expect(audit.map(({ what }) => what.replace('webhook_endpoint.', ''))).toEqual([
      'created',
      'disabled',
      'enabled',
      'changed',
      'secret_regenerated',
      'secret_rotated',
      'secret_rotated',
      'test_sent',
      'deleted',
    ]);
    for (const { who } of audit) expect(who).toMatch(/^command line, ./);
    expect(JSON.stringify(audit)).not.toContain('whsec_');
  });

  test('write a secret to a new file that only the operator can read', async () => {
    const out = join(folder, 'endpoint.json');
    const args = ['create', '--merchant', 'A shop', '--url', 'https://shop.example/out', '--out', out] as const;
    const { code, stdout } = await webhook(...args);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^New endpoint whk_\\w+\nSecret written to ${out} \\(only you can read it\\)\\.\n$`),
    );
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const kept = JSON.parse(await readFile(out, 'utf8')) as Made;
    expect((await opened()).get(kept.endpoint_id)).toBe(kept.secret);
    const before = await list('A shop');
    const second = await webhook('create', '--merchant', 'A shop', '--url', 'https://shop.example/more', '--out', out);
    expect(second.stderr).toMatch(/cannot be created .* pass another --out\n$/);
    expect(await list('A shop')).toEqual(before);
  });

  test('report an error in one line', async () => {
    const { endpoint_id: id } = await create('B shop', 'https://shop.example/b');
    const ofB = ['--merchant', 'B shop', '--endpoint', id];
    const cases: [readonly string[], RegExp][] = [
      [['list', '--merchant', 'No shop'], /^There is no merchant "No shop"; .*\n$/],
      [['delete', '--merchant', 'A shop', '--endpoint', id], /^There is no webhook endpoint whk_\w+; list .*\n$/],
      [
        ['create', '--merchant', 'B shop', '--url', 'https://shop.example/c'],
        /^The plan starter allows 1 webhook endpoint/,
      ],
      [
        ['create', '--merchant', 'B shop', '--url', 'ftp://shop.example'],
        /^The webhook URL must begin with https:.*\n$/,
      ],
      [['change', ...ofB], /pass at least one of --url, --events, .* --disables-on-gone and --max-per-second\n/],
      [['change', ...ofB, '--events', 'payment.done'], /^"payment\.done" is not an event type; choose from .*\n$/],
      [['test', ...ofB, '--event', 'payment.done'], /^"payment\.done" is not an event type; choose from .*\n$/],
    ];
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await webhook(...args);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(message);
    }
    const third = ['webhook', 'create', '--merchant', 'B shop', '--url', 'https://shop.example/c'];
    expect((await run({ PLANS: 'off' }, ...third)).code).toBe(0);
  });

  test('replace the key that secrets are encrypted with, step by step', async () => {
    const secrets = await opened();
    expect(secrets.size).toBeGreaterThan(1);
    const rotating = { SECRETS_KEY: hex(NEW), SECRETS_KEY_PREVIOUS: hex(OLD) };
    const rejected = await run({ SECRETS_KEY: hex(NEW) }, 'secrets', 'reseal');
    expect([rejected.code, rejected.stderr]).toEqual([1, expect.stringMatching(/^Neither SECRETS_KEY .* whk_\w+/)]);
    expect((await run({ SECRETS_KEY_PREVIOUS: hex(OLD) }, 'secrets', 'reseal')).stderr).toMatch(
      /^SECRETS_KEY_PREVIOUS equals the current key/,
    );
    expect(await opened()).toEqual(secrets);

    expect((await run(rotating, 'secrets', 'reseal')).stdout).toBe(
      `Secrets re-encrypted: ${secrets.size}; already encrypted with the current key: 0\n`,
    );
    expect(await opened(createSecretBox(NEW))).toEqual(secrets);
    expect(JSON.parse((await run(rotating, 'secrets', 'reseal', '--json')).stdout)).toEqual({
      resealed: 0,
      current: secrets.size,
      unreadable: [],
    });
    expect((await run({ SECRETS_KEY: hex(NEW) }, 'secrets', 'reseal')).code).toBe(0);
  });
});

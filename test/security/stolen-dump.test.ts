import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadCommands } from '../../src/cli/command-table.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { codeAt } from '../accounts/harness.ts';
import { createResources, WALLETS } from '../http/console/security/resources.ts';
import { startConsole, type TestConsole } from '../http/console/support/console.ts';
import { dumpAsText } from '../support/database/pg-tools.ts';
import { type Receiver, startReceiver } from '../support/outside/receiver.ts';
import { POLLING } from '../support/polling.ts';
import { describeWith } from '../support/run/components.ts';
import { createTestService } from '../support/service/service.ts';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const OPERATOR_TOKEN = randomBytes(24).toString('hex');
const HOOKS = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };
/** The format of `SecretBox`. */
const SEALED = /\bv1\.([0-9a-f]{8})\.[A-Za-z0-9_-]{40,}/g;

const describeDump = describeWith('postgres', 'postgresPrograms');

describeDump('a dump of a database that was in use', () => {
  let folder = '';
  let receiver: Receiver;
  let console: TestConsole;
  let url = '';
  const secrets: Record<string, string> = {};
  let endpoint = '';
  let totpSecret = '';

  const dump = async (): Promise<string> => {
    const file = join(folder, 'stolen.sql');
    await dumpAsText(url, file);
    return readFile(file, 'utf8');
  };
  const ask = async (path: string, body?: unknown) => {
    const response = await console.call('owner', { path, ...(body === undefined ? {} : { method: 'POST', body }) });
    expect(response.status, response.text).toBeLessThan(300);
    return response.data;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-dump-'));
    receiver = await startReceiver();
    console = await startConsole({
      wallets: WALLETS,
      env: { SECRETS_KEY: OLD.toString('hex'), OPERATOR_TOKEN, ...HOOKS },
    });
    // The service reads this setting itself; here it only locates the database to dump.
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(console.db);
    const server = new URL(process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres');
    server.pathname = `/${rows[0]?.name}`;
    url = server.href;

    await createResources(console, 'a mug');
    for (const [name, key] of Object.entries({ ...console.keys })) secrets[`key ${name}`] = key;
    for (const [who, { password }] of Object.entries(console.users)) secrets[`password of ${who}`] = password;
    secrets['made key'] = (await ask('/merchant/keys', { kind: 'secret', mode: 'live', name: 'till' })).key;
    const made = await ask('/merchant/webhooks', { url: receiver.url, modes: ['live', 'test'] });
    endpoint = made.id;
    secrets['webhook secret'] = made.secret;
    receiver.trust(made.secret);
    const { password } = console.users.owner;
    totpSecret = (await ask('/totp/begin', { password })).secret;
    secrets['authenticator secret'] = totpSecret;
    const { recoveryCodes } = await ask('/totp/confirm', { code: codeAt(totpSecret, Date.now()) });
    for (const code of recoveryCodes) secrets[`recovery code ${code.slice(0, 2)}`] = code;
    secrets.SECRETS_KEY = OLD.toString('hex');
    secrets.OPERATOR_TOKEN = OPERATOR_TOKEN;
    const signIn = await fetch(`${console.url}/console/api/sign-in`, {
      method: 'POST',
      headers: { origin: console.url, 'x-quittance-console': '1', 'content-type': 'application/json' },
      body: JSON.stringify(console.users.staff),
    });
    secrets.session = signIn.headers.getSetCookie()[0]?.split(';')[0]?.split('=')[1] ?? '';
  }, 120_000);
  afterAll(async () => {
    vi.unstubAllEnvs();
    await console?.close();
    await receiver?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('rule 36: contains no usable secret, in any encoding', async () => {
    const text = await dump();
    expect(text).toContain(console.merchantId);
    expect(Object.keys(secrets).length).toBeGreaterThan(20);
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret.length, name).toBeGreaterThanOrEqual(8);
      for (const written of spellingsOf(secret)) expect(text.includes(written), name).toBe(false);
    }
  });

  test('the search finds a secret that is there', async () => {
    await console.db
      .updateTable('merchant')
      .set({ email: `${secrets.session}@x.example` })
      .where('id', '=', console.neighbour.merchantId)
      .execute();
    const text = await dump();
    expect(spellingsOf(secrets.session ?? '').some((written) => text.includes(written))).toBe(true);
  });

  test('is useless with the old key once it was replaced, while the service ran', {
    timeout: 240_000,
  }, async () => {
    expect(keysIn(await dump())).toEqual(new Set([keyIdOf(OLD)]));
    const [previous, key] = [OLD.toString('hex'), NEW.toString('hex')];
    await console.service.stop();
    const between = await createTestService({
      env: { DATABASE_URL: url, SECRETS_KEY: key, SECRETS_KEY_PREVIOUS: previous, ...HOOKS },
    });
    await between.start();
    try {
      await reseal({ DATABASE_URL: url, SECRETS_KEY: key, SECRETS_KEY_PREVIOUS: previous, DATA_DIR: folder });
      expect(between.logLines.filter(({ level }) => level >= 50)).toEqual([]);
    } finally {
      await between.remove();
    }
    const after = await dump();
    expect(keysIn(after)).toEqual(new Set([keyIdOf(NEW)]));
    // Every column with sealed data is one of these, and no other is.
    const columns = await sealedColumns(console);
    expect(columns).toEqual(['merchant_user.sealed_totp_secret', 'webhook_endpoint.sealed_secret']);

    const alone = await createTestService({ env: { DATABASE_URL: url, SECRETS_KEY: key, ...HOOKS } });
    await alone.start();
    try {
      const { email, password } = console.users.owner;
      const post = (path: string, body: unknown, cookie = '') =>
        fetch(`${alone.url}/console/api${path}`, {
          method: 'POST',
          headers: { origin: alone.url, 'x-quittance-console': '1', 'content-type': 'application/json', cookie },
          body: JSON.stringify(body),
        });
      // The current code may have been used already, so this uses the next one.
      const signedIn = await vi.waitUntil(
        async () => {
          const response = await post('/sign-in', { email, password, code: codeAt(totpSecret, Date.now() + 30_000) });
          return response.status === 200 ? response : null;
        },
        { ...POLLING, interval: 5_000 },
      );
      const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const sent = await post(`/merchant/webhooks/${endpoint}/test`, { event: 'payment.completed' }, cookie);
      expect(sent.status).toBeLessThan(300);
      await vi.waitUntil(() => receiver.requests.length > 0, POLLING);
      expect(receiver.requests.every(({ isServiceSignatureValid }) => isServiceSignatureValid)).toBe(true);
    } finally {
      await alone.remove();
    }
  });
});

// Helpers

/** The text itself, and its bytes in hex and both kinds of base64, also of the bytes it encodes. */
function spellingsOf(secret: string): readonly string[] {
  const bare = secret.replace(/^whsec_/, '');
  const bytes = [
    Buffer.from(secret),
    Buffer.from(bare, 'base64'),
    ...(/^[0-9a-f]+$/.test(bare) ? [Buffer.from(bare, 'hex')] : []),
  ];
  const spelled = bytes
    .filter(({ length }) => length >= 8)
    .flatMap((each) => [each.toString('hex'), each.toString('base64').replace(/=+$/, ''), each.toString('base64url')]);
  return [...new Set([secret, bare, bare.replaceAll('-', ''), ...spelled])];
}

function keysIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(SEALED)].map(([, keyId = '']) => keyId));
}

function keyIdOf(key: Uint8Array): string {
  return createSecretBox(key).seal('x', 'y').split('.')[1] ?? '';
}

/** Columns with sealed data, found by searching all text columns. */
async function sealedColumns({ db }: TestConsole): Promise<readonly string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select c.table_name as "table", c.column_name as "column" from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and data_type in ('text', 'jsonb', 'json', 'bytea')`.execute(
    db,
  );
  const found: string[] = [];
  for (const { table, column } of columns) {
    const { rows } = await sql`
      select 1 from ${sql.table(table)} where ${sql.ref(column)}::text ~ 'v1[.][0-9a-f]{8}[.][A-Za-z0-9_-]{40,}' limit 1`.execute(
      db,
    );
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found.toSorted();
}

/** `quittance secrets reseal` with these settings. */
async function reseal(env: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const out = vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  try {
    await (await loadCommands()).find(({ name }) => name === 'secrets reseal')?.prepare([])();
  } finally {
    out.mockRestore();
    vi.unstubAllEnvs();
  }
}

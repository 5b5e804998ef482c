import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../demo/wait.ts';
import { connect } from '../../../src/platform/db/index.ts';
import { OK, type Receiver, startReceiver } from '../../support/outside/receiver.ts';
import { level } from '../../support/run/level.ts';
import { LEVEL, type LogLine } from '../../support/service/service.ts';
import { type Backend, createServerBackend, describeServers } from '../backends.ts';
import { type CommandRun, runCommand, servedUrl } from '../cli/command.ts';
import { createShopClient, readSecrets } from '../shop-process.ts';

const EVENTS = ['payment.created', 'payment.pending', 'payment.completed'];

describeServers('a process that receives a second signal while it stops', () => {
  let backend: Backend;
  let receiver: Receiver;
  let folder = '';
  const commands: CommandRun[] = [];

  beforeEach(async () => {
    backend = await createServerBackend();
    receiver = await startReceiver();
    folder = await mkdtemp(join(tmpdir(), 'quittance-second-signal-'));
    const webhooks = [{ url: receiver.url, events: EVENTS }];
    const merchant = { name: 'Corner shop', email: 'owner@shop.example', webhooks };
    await writeFile(join(folder, 'merchants.json'), JSON.stringify({ merchants: [merchant] }));
  });
  afterEach(async () => {
    await Promise.all(commands.splice(0).map((command) => command.kill()));
    await receiver?.close();
    await backend?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  function start(): CommandRun {
    const env = {
      ...backend.env,
      PORT: '0',
      SECRETS_KEY: 'ab'.repeat(32),
      PLANS: 'off',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      // After the first signal alone it would keep running for this long.
      DRAIN_DELAY_SECONDS: '15',
    };
    const command = runCommand(['--provision', 'merchants.json', '--out', 'secrets.json'], { cwd: folder, env });
    commands.push(command);
    return command;
  }

  async function deliveries() {
    const { db, close } = await connect({ url: backend.env.DATABASE_URL ?? '', dataDir: null, poolSize: 1 });
    try {
      return await db.selectFrom('webhook_delivery').select(['state', 'attempt']).execute();
    } finally {
      await close();
    }
  }

  async function sentAgainByAnother(unverified: ReadonlySet<string>): Promise<void> {
    const done = receiver.requests.length;
    receiver.usually(OK);
    const other = start();
    await servedUrl(other);
    const again = () => new Set(receiver.requests.slice(done).map(({ headers }) => String(headers['webhook-id'])));
    await waitFor(
      async () => again().size >= EVENTS.length || null,
      () => `only ${again().size} webhooks came again: ${other.output()}`,
    );
    expect(again()).toEqual(unverified);
  }

  const twice = ['SIGINT', 'SIGINT'] as const;
  test.each(level.isFull ? [['SIGTERM', 'SIGINT'] as const, twice] : [twice])(
    '%s, then %s: it exits immediately, logs that, and leaves its unfinished work to others',
    async (first, second) => {
      receiver.usually({ kind: 'hang' });
      const stopping = start();
      const url = await servedUrl(stopping);
      const { keys } = await readSecrets(folder);
      await createShopClient(url, keys.sk_test).completeTestPayment();
      const sent = () => receiver.requests.map(({ headers }) => String(headers['webhook-id']));
      await waitFor(
        async () => sent().length >= EVENTS.length || null,
        () => `only ${sent().length} webhooks came`,
      );
      const unverified = new Set(sent());
      expect(unverified.size).toBe(EVENTS.length);

      stopping.signal(first);
      await waitFor(
        async () => linesOf(stopping).some(({ msg }) => msg === 'stopping') || null,
        () => `it did not begin to stop: ${stopping.output()}`,
      );
      stopping.signal(second);
      const { code, stderr } = await stopping.end();
      expect([code, stderr]).toEqual([1, '']);
      const lines = linesOf(stopping);
      const after = lines.slice(lines.findIndex(({ msg }) => msg === 'stopping') + 1);
      expect(after.filter(({ level }) => level >= LEVEL.warn)).toMatchObject([
        {
          level: LEVEL.warn,
          signal: second,
          msg: expect.stringMatching(/^second stop signal: .* resumes in other processes/),
        },
      ]);

      expect(await deliveries()).toEqual(EVENTS.map(() => ({ state: 'sending', attempt: 1 })));

      // A claim lasts 30 s. At the quick level test/webhooks/kill.test.ts covers this.
      if (level.isFull) await sentAgainByAnother(unverified);
    },
    120_000,
  );
});

// Helpers

function linesOf(command: CommandRun): LogLine[] {
  return command
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as LogLine);
}

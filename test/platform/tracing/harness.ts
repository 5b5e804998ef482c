import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../../demo/wait.ts';
import type { CreatedSecrets } from '../../../src/service/provisioning/apply.ts';
import { type Backend, createServerBackend } from '../../e2e/backends.ts';
import { type CommandRun, runCommand, servedUrl } from '../../e2e/cli/command.ts';
import { createTestWallet } from '../../support/nodes/wallet.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../../support/outside/otlp-receiver.ts';
import { type Receiver, startReceiver } from '../../support/outside/receiver.ts';

/**
 * The service in separate processes, each with one part of the work, a merchant's server and a
 * trace collector.
 */
export interface TracingHarness {
  readonly url: string;
  readonly collector: OtlpReceiver;
  readonly receiver: Receiver;
  readonly secrets: CreatedSecrets;
  /** Values that must not occur in any span or log line. */
  readonly confidential: readonly string[];
  /** What both processes have logged so far, as parsed lines with the role of their process. */
  logLines(): LoggedLine[];
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Posted>;
  /** Stops both with a stop signal. Resolves with their exit codes. */
  stop(): Promise<(number | null)[]>;
  remove(): Promise<void>;
}

export interface Posted {
  readonly status: number;
  readonly headers: Headers;
  readonly data: { readonly transaction_id: string; readonly status: string };
}

export type LoggedLine = Readonly<Record<string, unknown>> & { readonly role: string; readonly msg: string };

/** The customer's address: it is stored, and must not appear anywhere else. */
export const CUSTOMER_EMAIL = 'somebody.private@customers.example';
const SECRETS_KEY = '00112233445566778899aabbccddeeff'.repeat(2);

/** Starts an api and a worker over Postgres and NATS. */
export async function startTracingHarness(env: Readonly<Record<string, string>> = {}): Promise<TracingHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-traces-'));
  const [backend, collector, receiver] = await Promise.all([
    createServerBackend(),
    startOtlpReceiver(),
    startReceiver(),
  ]);
  const wallet = createTestWallet('a shop that is traced');
  const runs: { role: string; run: CommandRun }[] = [];
  const start = (role: string, args: readonly string[]) => {
    const run = runCommand(args, { cwd: folder, env: settings(backend, { collector, role, env }) });
    runs.push({ role, run });
    return run;
  };

  await writeFile(join(folder, 'merchants.json'), JSON.stringify(provisioning(receiver.url, wallet.extendedPublicKey)));
  const url = await servedUrl(start('api', ['--provision', 'merchants.json', '--out', 'secrets.json']));
  await servedUrl(start('worker', []));
  const { merchants } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')) as {
    merchants: CreatedSecrets[];
  };
  const [secrets] = merchants;
  if (secrets?.keys === undefined) throw new Error('Provisioning gave no keys');
  const { sk_test: key } = secrets.keys;
  receiver.trust(secrets.webhooks[0]?.secret ?? '');

  return {
    url,
    collector,
    receiver,
    secrets,
    confidential: [
      ...Object.values(secrets.keys),
      ...secrets.webhooks.map(({ secret }) => secret),
      secrets.password ?? 'owner@shop.example',
      wallet.extendedPublicKey,
      CUSTOMER_EMAIL,
      'owner@shop.example',
      SECRETS_KEY,
      'pa55word',
    ],
    logLines: () => runs.flatMap(({ role, run }) => linesOf(run.output(), role)),
    async post(path, body, headers = {}) {
      const response = await fetch(`${url}/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      const { data } = (await response.json()) as Pick<Posted, 'data'>;
      return { status: response.status, headers: response.headers, data };
    },
    async stop() {
      for (const { run } of runs) run.signal('SIGTERM');
      return Promise.all(runs.map(async ({ run }) => (await run.end()).code));
    },
    async remove() {
      await Promise.all(runs.map(({ run }) => run.kill()));
      await Promise.all([collector.close(), receiver.close(), backend.remove()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until a merchant's server has received this event. */
export function webhookArrives({ receiver }: Pick<TracingHarness, 'receiver'>, event: string) {
  return waitFor(
    async () => receiver.requests.find(({ headers }) => headers['x-service-event'] === event) ?? null,
    () => `no ${event} arrived; there were ${receiver.requests.map(({ headers }) => headers['x-service-event'])}`,
  );
}

// Helpers

function settings(
  backend: Backend,
  { collector, role, env }: { collector: OtlpReceiver; role: string; env: Readonly<Record<string, string>> },
): Record<string, string> {
  return {
    ...backend.env,
    PORT: '0',
    ROLES: role,
    SECRETS_KEY,
    LOG_LEVEL: 'debug',
    LTC_NETWORK: 'regtest',
    LTC_RPC_URL: 'http://user:pa55word@127.0.0.1:1/',
    TRACES_URL: collector.url,
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    ...env,
  };
}

function provisioning(webhookUrl: string, extendedPublicKey: string): unknown {
  const events = ['payment.created', 'payment.pending', 'payment.completed'];
  return {
    merchants: [
      {
        name: 'Corner shop',
        email: 'owner@shop.example',
        plan: 'enterprise',
        wallets: [{ crypto: 'LTC', extended_public_key: extendedPublicKey }],
        webhooks: [{ url: `${webhookUrl}?tenant=pa55word`, events }],
      },
    ],
  };
}

/** The last line may be incomplete. */
function linesOf(output: string, role: string): LoggedLine[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => ({ ...(JSON.parse(line) as LoggedLine), role }));
}

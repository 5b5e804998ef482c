import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Bus, PARTITIONS } from '../../src/platform/bus/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { loadConfig, parseCidr } from '../../src/platform/config/index.ts';
import { connect } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { createRuntime } from '../../src/service/runtime.ts';
import { startWorkers } from '../../src/service/workers.ts';

/**
 * A worker of the service in its own process, wired by the service's own composition, that counts
 * what it handles. `GET /` returns the counts.
 */

export interface WorkerSettings extends Readonly<Record<string, string>> {
  readonly DATABASE_URL: string;
  readonly POOL_SIZE: string;
  /** 32 bytes in hex. */
  readonly SECRETS_KEY: string;
  readonly NATS_URL: string;
  readonly NATS_PREFIX: string;
  /**
   * How many shares the partitions are split into, and which share this worker takes; 1 and 0 take
   * all, in competition with the others.
   */
  readonly SHARE_OF: string;
  readonly SHARE: string;
}

export interface WorkerReport {
  /** Messages settled so far, by the first part of the queue name: `actor`, `webhook` … */
  readonly handled: Readonly<Record<string, number>>;
  /** CPU time so far, in ms. */
  readonly cpuMs: number;
}

const LOOPBACK_ALLOWED = {
  allowCidrs: [parseCidr('127.0.0.0/8')].filter((cidr) => cidr !== null),
  allowHttp: true,
  allowPorts: [],
};

async function main(settings: WorkerSettings): Promise<void> {
  const log = createLogger({ level: 'error' });
  const { db } = await connect({ url: settings.DATABASE_URL, dataDir: null, poolSize: Number(settings.POOL_SIZE) });
  const nats = { url: settings.NATS_URL, prefix: settings.NATS_PREFIX };
  const clock = systemClock;
  const publicUrl = 'https://pay.example';
  const wired = createRuntime({
    config: { nats, plansEnabled: false, recurringMaxUnconfirmed: 1 },
    db,
    clock,
    log,
    publicUrl,
    tokens: () => '',
  });
  const handled: Record<string, number> = {};
  const runtime = { ...wired, bus: counting(wired.bus, settings, handled) };
  runtime.relay.start();
  const secretBox = createSecretBox(Buffer.from(settings.SECRETS_KEY, 'hex'));
  const { retention, archiveAfterDays } = loadConfig({});
  const kept = { retention, archiveAfterDays, isEmbedded: false };
  await startWorkers({
    runtime,
    db,
    clock,
    log,
    publicUrl: 'http://127.0.0.1',
    secretBox,
    webhooks: LOOPBACK_ALLOWED,
    mail: null,
    ...kept,
  });

  const server = createServer((_request, response) => {
    const { user, system } = process.cpuUsage();
    const report: WorkerReport = { handled, cpuMs: (user + system) / 1_000 };
    response.end(JSON.stringify(report));
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ publicUrl: `http://127.0.0.1:${port}` })}\n`);
  });
}

// Helpers

function counting(bus: Bus, { SHARE_OF, SHARE }: WorkerSettings, handled: Record<string, number>): Bus {
  const all = Array.from({ length: PARTITIONS }, (_, partition) => partition);
  const partitions = all.filter((partition) => partition % Number(SHARE_OF) === Number(SHARE));
  return {
    ...bus,
    subscribe: (options, handle) =>
      bus.subscribe({ ...options, partitions }, async (message) => {
        await handle(message);
        const kind = message.queue.split('-')[0] ?? message.queue;
        handled[kind] = (handled[kind] ?? 0) + 1;
      }),
  };
}

await main(process.env as unknown as WorkerSettings);

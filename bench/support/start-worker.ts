import type { Kysely } from 'kysely';
import type { Bus } from '../../src/platform/bus/index.ts';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { loadConfig, parseCidr } from '../../src/platform/config/index.ts';
import { connect, type Database } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { createRuntime, type Runtime } from '../../src/service/runtime.ts';
import { startWorkers } from '../../src/service/workers.ts';

/** Environment of a worker's process. */
export interface WorkerEnvironment extends Readonly<Record<string, string>> {
  readonly DATABASE_URL: string;
  readonly POOL_SIZE: string;
  /** 32 bytes in hex. */
  readonly SECRETS_KEY: string;
  /** Empty: the in-process bus. */
  readonly NATS_URL: string;
  readonly NATS_PREFIX: string;
}

export interface StartedWorker {
  readonly runtime: Runtime;
  readonly db: Kysely<Database>;
  readonly clock: Clock;
}

export const PUBLIC_URL = 'https://pay.example';

/**
 * Starts the workers of a service in this process, wired by the service's own composition.
 *
 * @param wrapBus For a bench that counts or restricts what the worker receives.
 */
export async function startWorker(
  environment: WorkerEnvironment,
  wrapBus: (bus: Bus) => Bus = (bus) => bus,
): Promise<StartedWorker> {
  const { DATABASE_URL: url, POOL_SIZE, SECRETS_KEY, NATS_URL, NATS_PREFIX: prefix } = environment;
  const log = createLogger({ level: 'error' });
  const { db } = await connect({ url, dataDir: null, poolSize: Number(POOL_SIZE) });
  const clock = systemClock;
  const config = {
    nats: { url: NATS_URL === '' ? null : NATS_URL, prefix },
    plansEnabled: false,
    recurringMaxUnconfirmed: 1,
  };
  const wired = createRuntime({ config, db, clock, log, publicUrl: PUBLIC_URL, tokens: () => '' });
  const runtime = { ...wired, bus: wrapBus(wired.bus) };
  runtime.relay.start();
  const { retention, archiveAfterDays } = loadConfig({});
  await startWorkers({
    runtime,
    db,
    clock,
    log,
    publicUrl: 'http://127.0.0.1',
    secretBox: createSecretBox(Buffer.from(SECRETS_KEY, 'hex')),
    webhooks: LOOPBACK_ALLOWED,
    mail: null,
    retention,
    archiveAfterDays,
    isEmbedded: false,
  });
  return { runtime, db, clock };
}

// Helpers

/** Where the receiver of the bench listens. */
const LOOPBACK_ALLOWED = {
  allowCidrs: [parseCidr('127.0.0.0/8')].filter((cidr) => cidr !== null),
  allowHttp: true,
  allowPorts: [],
};

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../../src/platform/clock.ts';
import { type Environment, loadConfig } from '../../../src/platform/config/index.ts';
import { createLogger } from '../../../src/platform/log.ts';
import { createService, type Service } from '../../../src/service/create-service.ts';
import type { CreatedSecrets } from '../../../src/service/provisioning/apply.ts';
import { parseProvisioningFile } from '../../../src/service/provisioning/file.ts';
import { sharedLayoutOf } from '../charts/shared-layouts.ts';
import { unpackEmbeddedTemplate } from '../database/embedded-template.ts';
import { createPostgresDatabase } from '../database/test-database.ts';
import { COMPONENTS } from '../run/components.ts';
import { level } from '../run/level.ts';

/** The whole service in this process, built by the same composition root as the command. */
export interface RunningService {
  /** Base URL; changes with every start. */
  readonly url: string;
  /** Base URL of the monitoring port; needs MONITOR_PORT. */
  readonly monitorUrl: string;
  readonly dataDir: string;
  /** Every log line of all its starts. */
  readonly logLines: readonly LogLine[];
  /** Messages printed to the terminal, over all its starts. */
  readonly printed: readonly string[];
  /** Secrets created by provisioning, read from the secrets file as an operator would. */
  secrets(): Promise<readonly CreatedSecrets[]>;
  /** Stops it as a stop signal does. */
  stop(): Promise<void>;
  /** Starts it on the same data. Resolves when everything is running. */
  start(): Promise<void>;
  /** Stops it if it is running, and deletes its data. */
  remove(): Promise<void>;
}

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Numeric log levels. */
export const LEVEL = { debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const;

export interface ServiceSetup {
  /** Environment variables. PORT, HOST, DATA_DIR and LOG_LEVEL have defaults. */
  readonly env?: Environment;
  readonly clock?: Clock;
  /** A provisioning file as parsed JSON; applied at every start. */
  readonly provisioning?: unknown;
  /**
   * At the quick level runs on Postgres if there is one, which takes a fraction of the processor
   * time of the embedded database.
   */
  readonly isQuickOnPostgres?: true;
}

/** Prepares the service on a free loopback port with data in a new temporary folder; stopped. */
export async function createTestService(setup: ServiceSetup = {}): Promise<RunningService> {
  const { clock = systemClock, provisioning } = setup;
  const folder = await mkdtemp(join(tmpdir(), 'quittance-service-'));
  const dataDir = join(folder, 'data');
  const out = join(folder, 'secrets.json');
  const logLines: LogLine[] = [];
  const printed: string[] = [];
  // The embedded database exists before the first start; test/e2e/cli/cli.test.ts covers a start
  // without one.
  const isOnPostgres = setup.isQuickOnPostgres === true && !level.isFull && COMPONENTS.postgres.isThere();
  const database = isOnPostgres ? await createPostgresDatabase() : null;
  if (database === null && setup.env?.DATABASE_URL === undefined) await unpackEmbeddedTemplate(dataDir);
  let service: Service | null = null;

  async function stop(): Promise<void> {
    const ending = service;
    service = null;
    await ending?.close();
  }

  return {
    get url() {
      if (service === null) throw new Error('The service does not run');
      return service.publicUrl;
    },
    get monitorUrl() {
      const url = service?.monitorUrl() ?? null;
      if (url === null) throw new Error('The service does not run, or has no MONITOR_PORT');
      return url;
    },
    dataDir,
    logLines,
    printed,
    async secrets() {
      const { merchants } = JSON.parse(await readFile(out, 'utf8')) as { merchants: CreatedSecrets[] };
      return merchants;
    },
    stop,
    async start() {
      const config = loadConfig({
        PORT: '0',
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        LOG_LEVEL: 'debug',
        // Tests do not call public rate sources.
        RATES_SOURCES: 'none',
        ...setup.env,
        ...(database === null ? {} : { DATABASE_URL: database.url ?? '' }),
      });
      const destination = { write: (line: string) => void logLines.push(JSON.parse(line) as LogLine) };
      service = await createService({
        config,
        clock,
        log: createLogger({ level: config.logLevel, destination }),
        provisioning:
          provisioning === undefined ? null : { file: parseProvisioningFile(provisioning, 'provisioning'), out },
        print: (text) => void printed.push(text),
        // Computing a chart layout takes seconds; test/http/console/layout.test.ts covers it.
        ...(level.isFull ? {} : { layoutOf: sharedLayoutOf }),
      });
      await service.start();
    },
    async remove() {
      await stop();
      await database?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

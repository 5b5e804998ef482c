import { createServer } from 'node:http';
import { type Bus, PARTITIONS } from '../../src/platform/bus/index.ts';
import { listenAndPrintUrl } from '../support/child.ts';
import { startWorker, type WorkerEnvironment } from '../support/start-worker.ts';

/**
 * A worker of the service in its own process, wired by the service's own composition, that counts
 * what it handles. `GET /` returns the counts.
 */

export interface WorkerSettings extends WorkerEnvironment {
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

async function main(settings: WorkerSettings): Promise<void> {
  const handled: Record<string, number> = {};
  await startWorker(settings, (bus) => counting(bus, settings, handled));
  const server = createServer((_request, response) => {
    const { user, system } = process.cpuUsage();
    const report: WorkerReport = { handled, cpuMs: (user + system) / 1_000 };
    response.end(JSON.stringify(report));
  });
  listenAndPrintUrl(server);
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

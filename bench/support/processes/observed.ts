import { unlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PROGRAM } from '../../../scripts/build/program.ts';

/**
 * The service exactly as its command starts it, in a process that also reports its memory and CPU
 * time: on a socket file, so that it takes no port and needs no setting of the service.
 */

export interface ProcessReading {
  /** CPU time since the start, user and system, in ms, without collections requested here. */
  readonly cpuMs: number;
  readonly residentBytes: number;
  /** Peak resident size. */
  readonly peakResidentBytes: number;
  readonly heapBytes: number;
  /** Buffers and typed arrays. */
  readonly externalBytes: number;
}

const socket = process.env.BENCH_PROBE_SOCKET;
if (socket === undefined) throw new Error('BENCH_PROBE_SOCKET is not set');

let collectingMs = 0;

/** `/?collect` runs a garbage collection first. */
const probe = createServer((request, response) => {
  if (request.url === '/?collect') collect();
  response.end(JSON.stringify(read()));
});
probe.listen(socket);
probe.unref();
process.once('exit', () => unlinkSync(socket));

await import(PROGRAM);

// Helpers

function collect(): void {
  const before = cpuMs();
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  collectingMs += cpuMs() - before;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function read(): ProcessReading {
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    cpuMs: cpuMs() - collectingMs,
    residentBytes: rss,
    peakResidentBytes: process.resourceUsage().maxRSS * 1_024,
    heapBytes: heapUsed,
    externalBytes: external,
  };
}

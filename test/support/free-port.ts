import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports (from 32768 on Linux, from 49152 elsewhere): otherwise an unrelated
 * connection could take the port of a server that is being restarted.
 */
const FIRST_PORT = 20_000;
const PORTS = 12_000;
/**
 * Each worker of the test runner has its own range, so that two workers cannot pick the same port
 * before they listen on it.
 */
const SLICES = 16;
const SLICE_PORTS = PORTS / SLICES;
/** A test run started by another run uses ranges after those of that run. */
const FIRST_SLICE = Number(process.env.TEST_FIRST_PORT_SLICE ?? 0);
const SLICE = (FIRST_SLICE + Number(process.env.VITEST_POOL_ID ?? 0)) % SLICES;

const given = new Set<number>();

/**
 * A TCP port of 127.0.0.1 on which nothing listens, never returned twice: for a server that needs
 * its port in advance.
 */
export async function findFreePort(): Promise<number> {
  while (given.size < SLICE_PORTS) {
    const port = FIRST_PORT + SLICE * SLICE_PORTS + randomInt(SLICE_PORTS);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error(`All ${SLICE_PORTS} ports from ${FIRST_PORT + SLICE * SLICE_PORTS} on are taken`);
}

// Helpers

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that systems give to whoever asks for any port (from 32768 on Linux, from 49152 elsewhere): a server that is restarted
 * must not find a connection of somebody else in its place.
 */
const FIRST_PORT = 20_000;
const PORTS = 12_000;
/** Each worker of the test runner has ports of its own, so that no two are given the same one before they listen on it. */
const SLICES = 16;
const SLICE_PORTS = PORTS / SLICES;
/** A run that another run starts begins behind the slices of that one. */
const FIRST_SLICE = Number(process.env.TEST_FIRST_PORT_SLICE ?? 0);
const SLICE = (FIRST_SLICE + Number(process.env.VITEST_POOL_ID ?? 0)) % SLICES;

const given = new Set<number>();

/** A TCP port of 127.0.0.1 on which nobody listens, and which is not given again: for a server that must be told its port. */
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

import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { reservePort } from '../../src/service/port.ts';

const HOST = '127.0.0.1';

/** Whether the port can be listened on now. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, HOST), 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}

describe('a reserved port', () => {
  // A port that was only looked up was taken by another process before the service listened on it.
  it('is exclusive until it is released', async () => {
    const kept = await reservePort({ host: HOST, port: 0 });
    expect(kept.port).toBeGreaterThan(0);
    expect(await isFree(kept.port)).toBe(false);
    await kept.release();
    await kept.release();
    expect(await isFree(kept.port)).toBe(true);
  });

  it('closes incoming connections, so that no client delays its release', async () => {
    const kept = await reservePort({ host: HOST, port: 0 });
    const socket = connect(kept.port, HOST);
    await once(socket, 'close');
    await kept.release();
    expect(await isFree(kept.port)).toBe(true);
  });

  it('is rejected when in use, with the remedy', async () => {
    const { port, release } = await reservePort({ host: HOST, port: 0 });
    await expect(reservePort({ host: HOST, port })).rejects.toMatchObject({
      code: 'PORT_TAKEN',
      message: `Port ${port} on ${HOST} is in use by another program. Set PORT or HOST to a free address.`,
    });
    await release();
  });
});

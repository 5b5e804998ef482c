import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type EventStream, openEventStream } from '../../../../src/http/checkout/live/event-stream.ts';
import { POLLING } from '../../../support/polling.ts';
import { readEvents } from './event-reader.ts';

let server: Server | undefined;
afterEach(() => {
  vi.useRealTimers();
  server?.closeAllConnections();
  server?.close();
});

/** A server whose every response is a stream that the test controls. */
async function serveStream() {
  const opened: EventStream[] = [];
  const onEnd = vi.fn();
  server = createServer((_request, response) => {
    opened.push(openEventStream(response, { headers: { 'x-test': 'yes' }, onEnd }));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { opened, onEnd, port, url: `http://127.0.0.1:${port}/` };
}

describe('an event stream', () => {
  test('sends each event as a whole, whatever its text contains', async () => {
    const { opened, url } = await serveStream();
    const reader = await readEvents(url);
    const data = { html: 'a\nb\r\n\ndata: c\u2028' };
    opened[0]?.send({ id: '1', event: 'state', data });
    await vi.waitFor(() => expect(reader.events).toEqual([{ id: '1', data }]), POLLING);
    expect(reader.headers.get('x-test')).toBe('yes');
    reader.close();
  });

  test('sends a heartbeat every 15 seconds and ends after half an hour', async () => {
    const { url, onEnd } = await serveStream();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    const reader = await readEvents(url);
    vi.advanceTimersByTime(45_000);
    await vi.waitFor(() => expect(reader.text().match(/^: /gm)).toHaveLength(3), POLLING);
    expect(onEnd).not.toHaveBeenCalled();
    vi.advanceTimersByTime(30 * 60_000);
    await vi.waitFor(() => expect(reader.hasEnded()).toBe(true), POLLING);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  test('ends once when its reader disconnects', async () => {
    const { opened, url, onEnd } = await serveStream();
    const reader = await readEvents(url);
    reader.close();
    await vi.waitFor(() => expect(onEnd).toHaveBeenCalledTimes(1), POLLING);
    opened[0]?.send({ id: '1', event: 'state', data: {} });
    opened[0]?.end();
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  test('ends once when its reader had disconnected before it was opened', async () => {
    const onEnd = vi.fn();
    const opened = vi.fn();
    server = createServer((_request, response) => {
      response.once('close', () => opened(openEventStream(response, { headers: {}, onEnd })));
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n', () => client.destroy());
    await vi.waitFor(() => expect(opened).toHaveBeenCalledTimes(1), POLLING);
    await vi.waitFor(() => expect(onEnd).toHaveBeenCalledTimes(1), POLLING);
  });

  test('disconnects a reader that does not read, instead of buffering everything', async () => {
    const { opened, port, onEnd } = await serveStream();
    const idle = connect(port, '127.0.0.1');
    idle.pause();
    idle.on('error', () => idle.destroy());
    idle.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await vi.waitFor(() => expect(opened).toHaveLength(1), POLLING);
    const data = 'x'.repeat(1_000_000);
    await vi.waitFor(() => {
      opened[0]?.send({ id: '1', event: 'state', data });
      expect(onEnd).toHaveBeenCalledTimes(1);
    }, POLLING);
    idle.destroy();
  });
});

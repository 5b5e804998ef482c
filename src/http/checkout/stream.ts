import type { ServerResponse } from 'node:http';
import { MINUTE_MS, SECOND_MS } from '../../../machines/index.ts';

/**
 * Interval of comment lines, so that proxies do not close an idle stream and
 * a dead client is noticed.
 */
const HEARTBEAT_MS = 15 * SECOND_MS;
/**
 * Longest lifetime of a stream; the browser reconnects. Spreads pages over
 * processes that start and stop.
 */
const MAX_STREAM_MS = 30 * MINUTE_MS;
/** Delay before the browser reconnects, sent to it. */
const RETRY_MS = 3 * SECOND_MS;
/** A client with more unread bytes is disconnected; it reconnects and gets the latest state. */
const MAX_UNREAD_BYTES = 256 * 1_024;

export interface EventStream {
  /** Sends one event. `id` and `event` are single lines from our code; `data` is any JSON value. */
  send(event: { readonly id: string; readonly event: string; readonly data: unknown }): void;
  /** Ends the stream; no effect when it has ended. */
  end(): void;
}

/**
 * Server-sent events over a response (WHATWG HTML, 9.2.5 and 9.2.6). `onEnd` is called once,
 * regardless of what ends the stream: the client, the time limit, a client that reads too slowly,
 * or `end`.
 */
export function openEventStream(
  response: ServerResponse,
  { headers, onEnd }: { headers: Readonly<Record<string, string>>; onEnd: () => void },
): EventStream {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    // A proxy that buffers the response would show nothing.
    'x-accel-buffering': 'no',
    // A closing server must not wait for a further request on this connection.
    connection: 'close',
  });
  write(`retry: ${RETRY_MS}\n\n`);
  const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS);
  const limit = setTimeout(() => response.end(), MAX_STREAM_MS);
  response.once('close', () => {
    clearInterval(heartbeat);
    clearTimeout(limit);
    onEnd();
  });
  // A client that disconnects during a write is not an error; 'close' follows.
  response.on('error', () => response.destroy());

  function write(text: string): void {
    if (response.writableEnded || response.destroyed) return;
    response.write(text);
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  }

  return {
    // JSON escapes line breaks within strings, so that one data line is enough.
    send: ({ id, event, data }) => write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => response.end(),
  };
}

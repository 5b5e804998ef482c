import type { ServerResponse } from 'node:http';
import { MINUTE_MS, SECOND_MS } from '../../machines/index.ts';

/** A comment is sent this often, so that proxies do not close a quiet stream and a dead peer is noticed. */
const HEARTBEAT_MS = 15 * SECOND_MS;
/** A stream ends after this long; the browser connects again. Keeps pages spread over processes that come and go. */
const MAX_STREAM_MS = 30 * MINUTE_MS;
/** Told to the browser: how long to wait before it connects again. */
const RETRY_MS = 3 * SECOND_MS;
/** A reader that lets this much pile up is cut off; it connects again and gets the newest state. */
const MAX_UNREAD_BYTES = 256 * 1_024;

export interface EventStream {
  /** Sends one event. `id` and `event` are single lines of our own making; `data` may be anything JSON can carry. */
  send(event: { readonly id: string; readonly event: string; readonly data: unknown }): void;
  /** Ends the stream; harmless when it has ended. */
  end(): void;
}

/**
 * Server-sent events over a response (WHATWG HTML, 9.2.5 and 9.2.6). `onEnd` is called once, whoever ends it: the peer, a time
 * limit, a reader that is too slow, or `end`.
 */
export function openEventStream(
  response: ServerResponse,
  { headers, onEnd }: { headers: Readonly<Record<string, string>>; onEnd: () => void },
): EventStream {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    // A proxy that gathers the answer before it passes it on would show nothing at all.
    'x-accel-buffering': 'no',
    // Ends with the stream: a server that closes does not wait for what comes next on it, which is nothing.
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
  // A peer that vanished in the middle of a write is no error of ours; 'close' follows.
  response.on('error', () => response.destroy());

  function write(text: string): void {
    if (response.writableEnded || response.destroyed) return;
    response.write(text);
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  }

  return {
    // JSON has no line breaks outside of strings, and inside them they are escaped: one data line is enough.
    send: ({ id, event, data }) => write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => response.end(),
  };
}

import type { ServerResponse } from 'node:http';

export interface ServerSentEvents {
  /** Sends complete lines of the protocol; no effect when the stream has ended. */
  write(text: string): void;
  /** Ends the stream; no effect when it has ended. */
  end(): void;
}

export interface ServerSentEventsOptions {
  /** Sent in addition to those of the protocol. */
  readonly headers: Readonly<Record<string, string>>;
  /** Delay before the browser reconnects, sent to it. */
  readonly retryMs: number;
  readonly heartbeatMs: number;
  /** Must write, so that proxies do not close an idle stream and a dead client is noticed. */
  onHeartbeat(): void;
  readonly maxStreamMs: number;
  /** Must end the stream. The browser reconnects, possibly to another process. */
  onTimeLimit(): void;
  /** A client with more unread data is disconnected; it reconnects. */
  readonly maxUnreadBytes: number;
  /** Called once, whatever ends the stream. */
  onEnd(): void;
}

/** Server-sent events over a response (WHATWG HTML, 9.2.5 and 9.2.6). */
export function openServerSentEvents(response: ServerResponse, options: ServerSentEventsOptions): ServerSentEvents {
  response.writeHead(200, {
    ...options.headers,
    'content-type': 'text/event-stream; charset=utf-8',
    // A proxy that buffers the response would show nothing.
    'x-accel-buffering': 'no',
    // No keep-alive: a closing server would wait for further requests on this connection.
    connection: 'close',
  });
  write(`retry: ${options.retryMs}\n\n`);
  const heartbeat = setInterval(() => options.onHeartbeat(), options.heartbeatMs);
  const limit = setTimeout(() => options.onTimeLimit(), options.maxStreamMs);
  response.once('close', finish);
  // A client that disconnects during a write is not an error; 'close' follows.
  response.on('error', () => response.destroy());
  // If the client disconnected before the listener existed, 'close' was emitted already.
  if (response.closed) setImmediate(finish);

  function finish(): void {
    clearInterval(heartbeat);
    clearTimeout(limit);
    options.onEnd();
  }

  function write(text: string): void {
    if (text === '' || response.writableEnded || response.destroyed) return;
    response.write(text);
    if (response.writableLength > options.maxUnreadBytes) response.destroy();
  }

  return { write, end: () => void response.end() };
}

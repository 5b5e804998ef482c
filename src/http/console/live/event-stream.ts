import type { FastifyReply } from 'fastify';
import { MINUTE_MS, SECOND_MS } from '../../../../machines/index.ts';
import type { LiveChange } from '../../../operations/index.ts';

/**
 * A stream ends after this long and the browser reconnects, so that a process removed from the load
 * balancer loses its readers.
 */
const MAX_STREAM_MS = 5 * MINUTE_MS;
const RETRY_MS = 2 * SECOND_MS;
/**
 * A reader with more unread data than this is disconnected; it reconnects and receives what it
 * missed.
 */
const MAX_UNREAD_BYTES = 1_024 * 1_024;

export interface ChangeStream {
  /**
   * Only the last change carries the position, so a reader that is disconnected before it receives
   * all of them again and misses none.
   */
  sendChanges(changes: readonly LiveChange[], position: string): void;
  /** All data must be fetched again; the stream continues from this position. */
  sendReload(position: string): void;
  /**
   * There were no changes for this reader up to this position. The first one is sent immediately,
   * so that a reader that is disconnected knows where to resume; later ones with the next
   * heartbeat, so that it has less to catch up on.
   */
  advancePosition(position: string): void;
  end(): void;
}

export interface StreamOptions {
  readonly heartbeatMs: number;
  /** Called at every heartbeat; the stream ends when it resolves with false. */
  mayGoOn(): Promise<boolean>;
  /** Called once, whichever side ends the stream. */
  onEnd(): void;
}

/** Server-sent events (WHATWG HTML, 9.2) over a reply, keeping its headers. */
export function openChangeStream(reply: FastifyReply, { heartbeatMs, mayGoOn, onEnd }: StreamOptions): ChangeStream {
  let passed: string | null = null;
  let hasPosition = false;
  let isPolling = false;
  reply.hijack();
  const { raw: response } = reply;
  response.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
    // No keep-alive: a closing server would wait for further requests on this connection.
    connection: 'close',
  });
  write(`retry: ${RETRY_MS}\n\n`);
  const heartbeat = setInterval(() => void beat(), heartbeatMs);
  const limit = setTimeout(end, MAX_STREAM_MS);
  response.once('close', finish);
  // A peer that disconnects during a write is not an error here; 'close' follows.
  response.on('error', () => response.destroy());
  // If the peer disconnected before the listener existed, 'close' was emitted already.
  if (response.closed) setImmediate(finish);

  function finish(): void {
    clearInterval(heartbeat);
    clearTimeout(limit);
    onEnd();
  }

  async function beat(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    if (await mayGoOn()) write(`${passing()}: still here\n\n`);
    else end();
    isPolling = false;
  }

  function end(): void {
    write(passing());
    response.end();
  }

  function passing(): string {
    const event = passed === null ? '' : `id: ${passed}\nevent: passed\ndata: {}\n\n`;
    passed = null;
    return event;
  }

  function write(text: string): void {
    if (text === '' || response.writableEnded || response.destroyed) return;
    response.write(text);
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  }

  return {
    sendChanges(changes, position) {
      passed = null;
      hasPosition = true;
      const events = changes.map((change, index) => {
        const id = index === changes.length - 1 ? `id: ${position}\n` : '';
        return `${id}data: ${JSON.stringify(change)}\n\n`;
      });
      write(events.join(''));
    },
    sendReload(position) {
      passed = null;
      hasPosition = true;
      write(`id: ${position}\nevent: reload\ndata: {}\n\n`);
    },
    advancePosition(position) {
      passed = position;
      if (!hasPosition) write(passing());
      hasPosition = true;
    },
    end,
  };
}

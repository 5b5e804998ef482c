import type { FastifyReply } from 'fastify';
import { MINUTE_MS, SECOND_MS } from '../../../machines/index.ts';
import type { LiveChange } from '../contract.ts';

/** A comment is sent this often, so that proxies do not close a quiet stream and a dead peer is noticed. */
const HEARTBEAT_MS = 15 * SECOND_MS;
/** A stream ends after this long and is asked for again, so that a session that was ended is noticed. */
const MAX_STREAM_MS = 5 * MINUTE_MS;
const RETRY_MS = 2 * SECOND_MS;
/** A reader that lets this much pile up is cut off; it comes again and is told what it has missed. */
const MAX_UNREAD_BYTES = 1_024 * 1_024;

export interface ChangeStream {
  /** The last of them carries the position, so that a reader cut off before hears all of them again and misses none. */
  sendChanges(changes: readonly LiveChange[], position: number): void;
  /** Everything shown must be read anew; then it goes on from here. */
  sendReload(position: number): void;
  end(): void;
}

/** Server-sent events (WHATWG HTML, 9.2) over a reply whose headers are kept. `onEnd` is called once, whoever ends it. */
export function openChangeStream(reply: FastifyReply, onEnd: () => void): ChangeStream {
  reply.hijack();
  const { raw: response } = reply;
  response.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
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
    sendChanges(changes, position) {
      const events = changes.map((change, place) => {
        const id = place === changes.length - 1 ? `id: ${position}\n` : '';
        return `${id}data: ${JSON.stringify(change)}\n\n`;
      });
      write(events.join(''));
    },
    sendReload: (position) => write(`id: ${position}\nevent: reload\ndata: {}\n\n`),
    end: () => response.end(),
  };
}

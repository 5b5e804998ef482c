import type { FastifyReply } from 'fastify';
import { MINUTE_MS, SECOND_MS } from '../../../machines/index.ts';
import type { LiveChange } from '../contract/actors.ts';

/** A stream ends after this long and is asked for again, so that a process that was left behind loses its readers. */
const MAX_STREAM_MS = 5 * MINUTE_MS;
const RETRY_MS = 2 * SECOND_MS;
/** A reader that lets this much pile up is cut off; it comes again and is told what it has missed. */
const MAX_UNREAD_BYTES = 1_024 * 1_024;

export interface ChangeStream {
  /** The last of them carries the position, so that a reader cut off before hears all of them again and misses none. */
  sendChanges(changes: readonly LiveChange[], position: string): void;
  /** Everything shown must be read anew; then it goes on from here. */
  sendReload(position: string): void;
  /**
   * Nothing was to be told up to here. The first time it is said at once, so that whoever is cut off knows where to go on; then with the
   * next heartbeat, which spares those that come again a long way.
   */
  notePassed(position: string): void;
  end(): void;
}

export interface StreamOptions {
  readonly heartbeatMs: number;
  /** Asked at every heartbeat; the stream ends when it resolves with false. */
  mayGoOn(): Promise<boolean>;
  /** Called once, whoever ends the stream. */
  onEnd(): void;
}

/** Server-sent events (WHATWG HTML, 9.2) over a reply whose headers are kept. */
export function openChangeStream(reply: FastifyReply, { heartbeatMs, mayGoOn, onEnd }: StreamOptions): ChangeStream {
  let passed: string | null = null;
  let hasPosition = false;
  let isAsking = false;
  reply.hijack();
  const { raw: response } = reply;
  response.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
    // Ends with the stream: a server that closes does not wait for what comes next on it, which is nothing.
    connection: 'close',
  });
  write(`retry: ${RETRY_MS}\n\n`);
  const heartbeat = setInterval(() => void beat(), heartbeatMs);
  const limit = setTimeout(end, MAX_STREAM_MS);
  response.once('close', finish);
  // A peer that vanished in the middle of a write is no error of ours; 'close' follows.
  response.on('error', () => response.destroy());
  // One that vanished before there was anybody to notice has had its 'close' already.
  if (response.closed) setImmediate(finish);

  function finish(): void {
    clearInterval(heartbeat);
    clearTimeout(limit);
    onEnd();
  }

  async function beat(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    if (await mayGoOn()) write(`${passing()}: still here\n\n`);
    else end();
    isAsking = false;
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
      const events = changes.map((change, place) => {
        const id = place === changes.length - 1 ? `id: ${position}\n` : '';
        return `${id}data: ${JSON.stringify(change)}\n\n`;
      });
      write(events.join(''));
    },
    sendReload(position) {
      passed = null;
      hasPosition = true;
      write(`id: ${position}\nevent: reload\ndata: {}\n\n`);
    },
    notePassed(position) {
      passed = position;
      if (!hasPosition) write(passing());
      hasPosition = true;
    },
    end,
  };
}

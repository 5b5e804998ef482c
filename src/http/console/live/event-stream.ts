import type { FastifyReply } from 'fastify';
import { MINUTE_MS, SECOND_MS } from '../../../../machines/index.ts';
import type { LiveChange } from '../../../operations/index.ts';
import { openServerSentEvents } from '../../plugins/index.ts';

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

/** Server-sent events over a reply, keeping its headers. */
export function openChangeStream(reply: FastifyReply, { heartbeatMs, mayGoOn, onEnd }: StreamOptions): ChangeStream {
  let passed: string | null = null;
  let hasPosition = false;
  let isPolling = false;
  reply.hijack();
  const events = openServerSentEvents(reply.raw, {
    headers: reply.getHeaders() as Record<string, string>,
    retryMs: RETRY_MS,
    heartbeatMs,
    onHeartbeat: () => void beat(),
    maxStreamMs: MAX_STREAM_MS,
    onTimeLimit: end,
    maxUnreadBytes: MAX_UNREAD_BYTES,
    onEnd,
  });

  async function beat(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    if (await mayGoOn()) events.write(`${passing()}: still here\n\n`);
    else end();
    isPolling = false;
  }

  function end(): void {
    events.write(passing());
    events.end();
  }

  function passing(): string {
    const event = passed === null ? '' : `id: ${passed}\nevent: passed\ndata: {}\n\n`;
    passed = null;
    return event;
  }

  return {
    sendChanges(changes, position) {
      passed = null;
      hasPosition = true;
      const messages = changes.map((change, index) => {
        const id = index === changes.length - 1 ? `id: ${position}\n` : '';
        return `${id}data: ${JSON.stringify(change)}\n\n`;
      });
      events.write(messages.join(''));
    },
    sendReload(position) {
      passed = null;
      hasPosition = true;
      events.write(`id: ${position}\nevent: reload\ndata: {}\n\n`);
    },
    advancePosition(position) {
      passed = position;
      if (!hasPosition) events.write(passing());
      hasPosition = true;
    },
    end,
  };
}

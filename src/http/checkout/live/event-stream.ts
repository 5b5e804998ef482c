import type { ServerResponse } from 'node:http';
import { MINUTE_MS, SECOND_MS } from '../../../../machines/index.ts';
import { openServerSentEvents } from '../../plugins/index.ts';

const HEARTBEAT_MS = 15 * SECOND_MS;
/** Spreads pages over processes that start and stop. */
const MAX_STREAM_MS = 30 * MINUTE_MS;
const RETRY_MS = 3 * SECOND_MS;
/** A client that reconnects gets the latest state. */
const MAX_UNREAD_BYTES = 256 * 1_024;

export interface EventStream {
  /** Sends one event. `id` and `event` are single lines from our code; `data` is any JSON value. */
  send(event: { readonly id: string; readonly event: string; readonly data: unknown }): void;
  /** Ends the stream; no effect when it has ended. */
  end(): void;
}

/**
 * The stream of one page. `onEnd` is called once, regardless of what ends the stream: the client,
 * the time limit, a client that reads too slowly, or `end`.
 */
export function openEventStream(
  response: ServerResponse,
  { headers, onEnd }: { headers: Readonly<Record<string, string>>; onEnd: () => void },
): EventStream {
  const events = openServerSentEvents(response, {
    headers,
    retryMs: RETRY_MS,
    heartbeatMs: HEARTBEAT_MS,
    onHeartbeat: () => events.write(': still here\n\n'),
    maxStreamMs: MAX_STREAM_MS,
    onTimeLimit: () => events.end(),
    maxUnreadBytes: MAX_UNREAD_BYTES,
    onEnd,
  });
  return {
    // JSON escapes line breaks within strings, so that one data line is enough.
    send: ({ id, event, data }) => events.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => events.end(),
  };
}

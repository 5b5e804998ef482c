import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { SECOND_MS } from '../../../../machines/index.ts';
import type { LiveListener } from '../../../operations/index.ts';
import { RetryableError, TerminalError } from '../../../platform/errors.ts';
import { isStillSignedIn } from '../session/guard.ts';
import { type ChangeStream, openChangeStream } from './event-stream.ts';

export interface LiveOptions {
  /** Resolves with a function to unsubscribe, or null when there are too many listeners. */
  readonly follow: (
    request: FastifyRequest,
    listener: LiveListener,
    since: string | null,
  ) => Promise<(() => void) | null>;
  readonly onRequest?: onRequestAsyncHookHandler;
  readonly heartbeatMs?: number | undefined;
}

/**
 * Interval at which an idle stream sends a comment, so that proxies do not close it, and checks the
 * session.
 */
const HEARTBEAT_MS = 15 * SECOND_MS;

/**
 * `GET /live`: every committed step of the actors the user may see, as server-sent events whose
 * data is a `LiveChange`. A reader that reconnects with `Last-Event-ID` receives what it missed, or
 * an event named `reload`, after which it must fetch everything again. If the user signs out, is
 * disabled or gets another role, the stream ends at the next heartbeat.
 */
export function liveRoute(app: FastifyInstance, options: LiveOptions): void {
  const { follow, onRequest, heartbeatMs = HEARTBEAT_MS } = options;
  const streams = new Set<ChangeStream>();
  let isClosing = false;

  app.get('/live', onRequest === undefined ? {} : { onRequest }, async (request, reply) => {
    const since = readPosition(request.headers['last-event-id']);
    let stream: ChangeStream | null = null;
    // Buffers what arrives before the headers are sent.
    const early: ((open: ChangeStream) => void)[] = [];
    const sendOrBuffer = (send: (open: ChangeStream) => void) =>
      void (stream === null ? early.push(send) : send(stream));
    const listener: LiveListener = {
      onChanges: (changes, position) => sendOrBuffer((open) => open.sendChanges(changes, position)),
      onReload: (position) => sendOrBuffer((open) => open.sendReload(position)),
      onPosition: (position) => sendOrBuffer((open) => open.advancePosition(position)),
    };
    const leave = await follow(request, listener, since);
    if (leave === null)
      throw new RetryableError('TOO_MANY_LISTENERS', 'Too many open live connections; close other pages and try again');
    const opened = openChangeStream(reply, {
      heartbeatMs,
      mayGoOn: () => mayGoOn(request),
      onEnd() {
        leave();
        streams.delete(opened);
      },
    });
    stream = opened;
    streams.add(opened);
    for (const send of early) send(opened);
    // The request began before the server closed, or on a connection that was still open; the hook
    // below does not end this stream.
    if (isClosing) opened.end();
  });

  // A closing server waits for its responses, and these do not end without this.
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const stream of streams) stream.end();
  });
}

// Helpers

function readPosition(lastEventId: string | string[] | undefined): string | null {
  if (lastEventId === undefined || lastEventId === '') return null;
  if (typeof lastEventId === 'string' && /^\d{1,15}-\d{1,20}$/.test(lastEventId)) return lastEventId;
  throw new TerminalError('INVALID_REQUEST', 'Unknown Last-Event-ID', {
    field: 'Last-Event-ID',
  });
}

/**
 * While the database is unavailable no changes are sent, so the stream may continue; any other
 * error ends it.
 */
async function mayGoOn(request: FastifyRequest): Promise<boolean> {
  try {
    return await isStillSignedIn(request);
  } catch (error) {
    return error instanceof RetryableError;
  }
}

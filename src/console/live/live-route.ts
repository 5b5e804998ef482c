import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { SECOND_MS } from '../../../machines/index.ts';
import { RetryableError, TerminalError } from '../../errors.ts';
import { type ChangeStream, openChangeStream } from './event-stream.ts';
import type { LiveListener } from './port.ts';

export interface LiveOptions {
  /** Resolves with the way to leave, or null when there are too many listeners. */
  readonly follow: (
    request: FastifyRequest,
    listener: LiveListener,
    since: string | null,
  ) => Promise<(() => void) | null>;
  readonly onRequest?: onRequestAsyncHookHandler;
  /** Asked at every heartbeat: whether whoever opened the stream is still who they were then. */
  readonly isStillIn: (request: FastifyRequest) => Promise<boolean>;
  readonly heartbeatMs?: number;
}

/** So often a quiet stream shows that it is there, so that proxies do not close it, and looks whether it may go on. */
const HEARTBEAT_MS = 15 * SECOND_MS;

/**
 * `GET /live`: every step of the actors one may see, as it is committed, as server-sent events whose data is a `LiveChange`. A
 * reader that comes again with `Last-Event-ID` is told what it has missed, or by an event named `reload` to read everything anew.
 * Whoever is signed out, disabled or given another role meanwhile is told nothing more from the next heartbeat on.
 */
export function liveRoute(app: FastifyInstance, options: LiveOptions): void {
  const { follow, onRequest, isStillIn, heartbeatMs = HEARTBEAT_MS } = options;
  const streams = new Set<ChangeStream>();
  let isClosing = false;

  app.get('/live', onRequest === undefined ? {} : { onRequest }, async (request, reply) => {
    const since = readPosition(request.headers['last-event-id']);
    let stream: ChangeStream | null = null;
    // What comes before the headers are out waits for them.
    const early: ((open: ChangeStream) => void)[] = [];
    const tell = (telling: (open: ChangeStream) => void) =>
      void (stream === null ? early.push(telling) : telling(stream));
    const listener: LiveListener = {
      onChanges: (changes, position) => tell((open) => open.sendChanges(changes, position)),
      onReload: (position) => tell((open) => open.sendReload(position)),
      onPassed: (position) => tell((open) => open.notePassed(position)),
    };
    const leave = await follow(request, listener, since);
    if (leave === null) throw new RetryableError('TOO_MANY_LISTENERS', 'Too many pages follow the changes already');
    const opened = openChangeStream(reply, {
      heartbeatMs,
      mayGoOn: () => mayGoOn(request, isStillIn),
      onEnd() {
        leave();
        streams.delete(opened);
      },
    });
    stream = opened;
    streams.add(opened);
    for (const telling of early) telling(opened);
    // Asked for before the server closed, or on a connection that was still open; nobody else would end it.
    if (isClosing) opened.end();
  });

  // A server that closes waits for its answers, and these have no end of their own.
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const stream of streams) stream.end();
  });
}

// Helpers

function readPosition(lastEventId: string | string[] | undefined): string | null {
  if (lastEventId === undefined || lastEventId === '') return null;
  if (typeof lastEventId === 'string' && /^\d{1,15}(-\d{1,20})?$/.test(lastEventId)) return lastEventId;
  throw new TerminalError('INVALID_REQUEST', 'Last-Event-ID is none that this stream has given', {
    field: 'Last-Event-ID',
  });
}

/** While the database is away nothing is told, so the stream may wait for it; whatever else fails ends it. */
async function mayGoOn(request: FastifyRequest, isStillIn: LiveOptions['isStillIn']): Promise<boolean> {
  try {
    return await isStillIn(request);
  } catch (error) {
    return error instanceof RetryableError;
  }
}

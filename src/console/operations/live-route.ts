import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { RetryableError, TerminalError } from '../../errors.ts';
import { type ChangeStream, openChangeStream } from './event-stream.ts';
import type { LiveListener, Operations } from './port.ts';

/**
 * `GET /live`: every step of every actor as it is committed, as server-sent events whose data is a `LiveChange`. A reader that
 * comes again with `Last-Event-ID` is told what it has missed, or by an event named `reload` to read everything anew.
 */
export function liveRoute(
  app: FastifyInstance,
  { operations, onRequest }: { operations: Pick<Operations, 'follow'>; onRequest: onRequestAsyncHookHandler },
): void {
  const streams = new Set<ChangeStream>();

  app.get('/live', { onRequest }, async (request, reply) => {
    const since = readPosition(request.headers['last-event-id']);
    let stream: ChangeStream | null = null;
    // What comes before the headers are out waits for them.
    const early: ((open: ChangeStream) => void)[] = [];
    const tell = (telling: (open: ChangeStream) => void) =>
      void (stream === null ? early.push(telling) : telling(stream));
    const listener: LiveListener = {
      onChanges: (changes, position) => tell((open) => open.sendChanges(changes, position)),
      onReload: (position) => tell((open) => open.sendReload(position)),
    };
    const leave = await operations.follow(listener, since);
    if (leave === null) throw new RetryableError('TOO_MANY_LISTENERS', 'Too many pages follow the changes already');
    const opened = openChangeStream(reply, () => {
      leave();
      streams.delete(opened);
    });
    stream = opened;
    streams.add(opened);
    for (const telling of early) telling(opened);
  });

  // A server that closes waits for its answers, and these have no end of their own.
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });
}

// Helpers

function readPosition(lastEventId: string | string[] | undefined): number | null {
  if (lastEventId === undefined || lastEventId === '') return null;
  if (typeof lastEventId === 'string' && /^\d{1,15}$/.test(lastEventId)) return Number(lastEventId);
  throw new TerminalError('INVALID_REQUEST', 'Last-Event-ID is none that this stream has given', {
    field: 'Last-Event-ID',
  });
}

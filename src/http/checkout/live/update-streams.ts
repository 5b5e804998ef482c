import type { FastifyReply } from 'fastify';
import type { CustomerView } from '../../../payments/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { SECURITY_HEADERS } from '../headers.ts';
import type { Locale } from '../languages/locales.ts';
import { type Update, updateOf } from '../pages/payment.ts';
import { type EventStream, openEventStream } from './event-stream.ts';
import type { Hub } from './hub.ts';

export interface UpdateStreams {
  /**
   * Responds with a stream of updates: the current one immediately, then one per change. The stream
   * ends once no more updates are pushed.
   */
  follow(reply: FastifyReply, transaction: CustomerView, page: OpenPage): FastifyReply;
  /** Ends every stream; otherwise open pages would keep the server from closing. */
  stop(): Promise<void>;
}

export interface OpenPage {
  /** Version that the page already shows; null when unknown. */
  readonly have: string | null;
  readonly locale: Locale;
  /** Network of the client; see `networkOf`. */
  readonly client: string;
}

/**
 * Maximum number of streams of one client: an office shares an address, and a page works without a
 * stream.
 */
export const MAX_STREAMS_PER_CLIENT = 100;

/** `Retry-After` when no stream is available; the page polls its state instead. */
const BUSY_RETRY_AFTER_SECONDS = 30;

/** Event streams of this process, fed by the hub. */
export function createUpdateStreams({ hub, clock }: { hub: Hub; clock: Clock }): UpdateStreams {
  const streams = new Set<EventStream>();
  const perClient = new Map<string, number>();

  function count(client: string, change: 1 | -1): void {
    const open = (perClient.get(client) ?? 0) + change;
    if (open === 0) perClient.delete(client);
    else perClient.set(client, open);
  }

  return {
    follow(reply, transaction, { have, locale, client }) {
      const update = updateOf(transaction, clock.now(), locale);
      const isPushed = update.pace === 'live';
      // 204 stops the browser from reconnecting.
      if (!isPushed && have === update.version) return reply.code(204).send();
      if ((perClient.get(client) ?? 0) >= MAX_STREAMS_PER_CLIENT) return reject(reply);
      let stream: EventStream | null = null;
      const seat = { transactionId: transaction.id, version: update.version, locale };
      const leave = isPushed
        ? hub.join({ ...seat, onUpdate: (changed) => stream !== null && push(stream, changed) })
        : () => {};
      if (leave === null) return reject(reply);
      reply.hijack();
      count(client, 1);
      const opened = openEventStream(reply.raw, {
        // Common headers, which Fastify does not send for a hijacked reply.
        headers: { ...(reply.getHeaders() as Record<string, string>), ...SECURITY_HEADERS },
        onEnd() {
          leave();
          count(client, -1);
          streams.delete(opened);
        },
      });
      stream = opened;
      streams.add(opened);
      push(opened, update, have);
      return reply;
    },
    async stop() {
      await hub.stop();
      for (const stream of streams) stream.end();
    },
  };
}

// Helpers

function reject(reply: FastifyReply): FastifyReply {
  return reply.code(503).header('retry-after', BUSY_RETRY_AFTER_SECONDS).send();
}

/** Omits the HTML when the page already shows this version. */
function push(stream: EventStream, update: Update, have: string | null = null): void {
  const { html, ...rest } = update;
  stream.send({ id: update.version, event: 'state', data: have === update.version ? rest : { ...rest, html } });
  if (update.pace !== 'live') stream.end();
}

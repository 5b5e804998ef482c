import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { DiagnosticsChannel } from 'undici';
import { type ConnectionTrace, newConnectionTrace } from '../guard/index.ts';

/** What one request tells about itself while it goes on. */
export interface RequestTrace {
  readonly connection: ConnectionTrace;
  /** Header fields as they were written to the socket; null while nothing was. */
  requestHeaders: readonly (readonly [name: string, value: string])[] | null;
  /** When they were written, by `performance.now()`. */
  sentAt: number | null;
  /** The other end the request was written to. */
  peerAddress: string | null;
  /** The connection was open already, made for an earlier request. */
  isReused: boolean;
}

/**
 * Finds out which connection a request goes over, which undici does not say. Two facts together do. Making a connection
 * runs in the async context of the request that needs it, so the connector finds that request's trace there. And
 * undici tells on a diagnostics channel which request it writes to which socket: if that is not the one that was
 * made for the request, it was there before.
 */
export interface RequestTracer {
  /** Calls `work`, which makes one request, with a new trace. `signal` also ends the making of a connection for it. */
  run<T>(signal: AbortSignal, work: (trace: RequestTrace) => T): T;
  /** The connection being made in this async context. */
  current(): ConnectionTrace | undefined;
  close(): void;
}

export function createRequestTracer(): RequestTracer {
  const context = new AsyncLocalStorage<RequestTrace>();
  // Requests of other clients in this process use the same channels and are in no context of ours.
  const traces = new WeakMap<object, RequestTrace>();

  function onCreated(message: unknown): void {
    const trace = context.getStore();
    if (trace !== undefined) traces.set((message as DiagnosticsChannel.RequestCreateMessage).request, trace);
  }

  function onSent(message: unknown): void {
    const { request, headers, socket } = message as DiagnosticsChannel.ClientSendHeadersMessage;
    const trace = traces.get(request);
    if (trace === undefined) return;
    trace.sentAt = performance.now();
    trace.requestHeaders = fieldsOf(headers);
    trace.peerAddress = (socket as Socket).remoteAddress ?? null;
    trace.isReused = trace.connection.socket !== socket;
  }

  subscribe(CREATED, onCreated);
  subscribe(SENT, onSent);
  return {
    run(signal, work) {
      const connection = newConnectionTrace(signal);
      const trace = { connection, requestHeaders: null, sentAt: null, peerAddress: null, isReused: false };
      return context.run(trace, work, trace);
    },
    current: () => context.getStore()?.connection,
    close() {
      // One that stays enabled is carried along by every promise that this process makes from now on.
      context.disable();
      unsubscribe(CREATED, onCreated);
      unsubscribe(SENT, onSent);
    },
  };
}

// Helpers

const CREATED = 'undici:request:create';
const SENT = 'undici:client:sendHeaders';

/** The fields of a header section as undici writes it: the request line, then `name: value` lines. */
function fieldsOf(section: string): [string, string][] {
  return section
    .split('\r\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { DiagnosticsChannel } from 'undici';
import { type ConnectionTrace, newConnectionTrace } from '../guard/connection-trace.ts';

/** State of one request, recorded as it happens. */
export interface RequestTrace {
  readonly connection: ConnectionTrace;
  /** Header fields as written to the socket; null before that. */
  requestHeaders: readonly (readonly [name: string, value: string])[] | null;
  /** When they were written, by `performance.now()`. */
  sentAt: number | null;
  /** Remote address the request was sent to. */
  peerAddress: string | null;
  /** The connection was already open, from an earlier request. */
  isReused: boolean;
}

/**
 * Finds out which connection a request uses, which undici does not report. Opening a connection
 * runs in the async context of the request that needs it, so the connector finds that request's
 * trace there. And a diagnostics channel of undici reports which request is written to which
 * socket: if that is not the socket opened for the request, the connection was reused.
 */
export interface RequestTracer {
  /**
   * Calls `work`, which sends one request, with a new trace. `signal` also aborts opening a
   * connection for it.
   */
  run<T>(signal: AbortSignal, work: (trace: RequestTrace) => T): T;
  /** The trace of the connection for the request of this async context. */
  current(): ConnectionTrace | undefined;
  close(): void;
}

export function createRequestTracer(): RequestTracer {
  const context = new AsyncLocalStorage<RequestTrace>();
  // Requests of other HTTP clients in this process use the same channels, but not this context.
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
      // While it is enabled, every promise created in this process propagates it.
      context.disable();
      unsubscribe(CREATED, onCreated);
      unsubscribe(SENT, onSent);
    },
  };
}

// Helpers

const CREATED = 'undici:request:create';
const SENT = 'undici:client:sendHeaders';

/**
 * The fields of a header section as undici writes it: the request line, then `name: value` lines.
 */
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

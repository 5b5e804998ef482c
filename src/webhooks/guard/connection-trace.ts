import type { Socket } from 'node:net';

/**
 * Progress of opening one connection, recorded as it happens so that failed connections are covered
 * too. Times in ms; null for a step that was skipped or has not finished.
 */
export interface ConnectionTrace {
  /** Aborts the connection attempt. */
  readonly signal: AbortSignal;
  /** Current step; `waiting` before the first. */
  stage: 'waiting' | 'dns' | 'connect' | 'tls' | 'open';
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** Remote address, once connected. */
  peerAddress: string | null;
  /** The connection, once open. */
  socket: Socket | null;
}

/** The trace of a connection that has not been started. */
export function newConnectionTrace(signal: AbortSignal): ConnectionTrace {
  return { signal, stage: 'waiting', dnsMs: null, connectMs: null, tlsMs: null, peerAddress: null, socket: null };
}

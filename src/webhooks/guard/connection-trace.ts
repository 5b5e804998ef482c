import type { Socket } from 'node:net';

/**
 * What the making of one connection tells about itself while it goes on, so that something is known also of those that
 * never came about. Times in ms; null for what did not take place or has not ended.
 */
export interface ConnectionTrace {
  /** Ends the making, at whatever it has come to. */
  readonly signal: AbortSignal;
  /** What is being done now; waiting before anything is. */
  stage: 'waiting' | 'dns' | 'connect' | 'tls' | 'open';
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** The other end, once there is one. */
  peerAddress: string | null;
  /** What was made. */
  socket: Socket | null;
}

/** The trace of a connection nobody has asked for yet. */
export function newConnectionTrace(signal: AbortSignal): ConnectionTrace {
  return { signal, stage: 'waiting', dnsMs: null, connectMs: null, tlsMs: null, peerAddress: null, socket: null };
}

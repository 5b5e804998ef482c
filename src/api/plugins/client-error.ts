import type { Socket } from 'node:net';
import { newId } from '../../ids.ts';
import type { ErrorBody } from '../problem-shape.ts';

/** Answers what Node.js cannot parse as HTTP, with the usual error envelope and headers. */
export function createClientErrorHandler(headers: () => Readonly<Record<string, string>>) {
  return (error: Error & { code?: string }, socket: Socket): void => sendClientError(error, socket, headers());
}

// Helpers

function sendClientError(
  error: Error & { code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  // The client has disconnected, or a response is already being sent.
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const message = isTooLarge ? 'The headers are too large.' : 'The request is not valid HTTP.';
  const body = JSON.stringify({ success: false, error: 'INVALID_REQUEST', message } satisfies ErrorBody);
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${newId('req')}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

import type { Socket } from 'node:net';
import { newId } from '../../ids.ts';
import type { ErrorBody } from '../problem-shape.ts';

/** Answers what Node cannot even read as HTTP, in the envelope and with the headers of everything else. */
export function createClientErrorHandler(headers: () => Readonly<Record<string, string>>) {
  return (error: Error & { code?: string }, socket: Socket): void => sendClientError(error, socket, headers());
}

// Helpers

function sendClientError(
  error: Error & { code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  // The other side is gone, or an answer is on its way already.
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

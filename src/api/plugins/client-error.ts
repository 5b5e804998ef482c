import type { Socket } from 'node:net';
import { newId } from '../../ids.ts';
import type { ErrorBody } from '../problem-shape.ts';

/** Answers what Node cannot even read as HTTP, in the envelope like everything else. */
export function sendClientError(error: Error & { code?: string }, socket: Socket): void {
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
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A rate source's web server on a loopback port that answers as the test says, or misbehaves. */
export interface RateSite {
  readonly url: string;
  /** Paths with their queries, in request order. */
  readonly requested: readonly string[];
  /** Headers of the latest request. */
  readonly headers: IncomingMessage['headers'];
  /** Sets the response from now on. */
  usually(reply: Reply | ((path: string) => Reply)): void;
  close(): Promise<void>;
}

export type Reply =
  | { readonly status?: number; readonly body: string | Buffer; readonly headers?: Record<string, string> }
  | 'hang'
  /** Status and headers are sent, the body stops midway and the connection stays open. */
  | 'hang_in_body'
  /** The connection closes before Content-Length bytes were sent. */
  | 'truncate'
  | 'reset'
  /** An endless body, for as long as it is read. */
  | 'endless';

export async function startRateSite(tls?: { readonly key: string; readonly cert: string }): Promise<RateSite> {
  const requested: string[] = [];
  let headers: IncomingMessage['headers'] = {};
  let usual: (path: string) => Reply = () => ({ status: 404, body: 'no response is planned' });

  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    requested.push(path);
    headers = request.headers;
    // The tests include clients that disconnect.
    response.on('error', () => undefined);
    give(usual(path), request, response);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    requested,
    get headers() {
      return headers;
    },
    usually(reply) {
      usual = typeof reply === 'function' ? reply : () => reply;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

// Helpers

const ENDLESS_CHUNK = ' '.repeat(16_384);

function give(reply: Reply, request: IncomingMessage, response: ServerResponse): void {
  switch (reply) {
    case 'hang':
      return;
    case 'hang_in_body':
      response.writeHead(200, { 'content-length': '100' }).write('{"result":');
      return;
    case 'truncate':
      response.writeHead(200, { 'content-length': '100' }).write('{"result":', () => request.socket.end());
      return;
    case 'reset':
      request.socket.resetAndDestroy();
      return;
    case 'endless': {
      response.writeHead(200);
      const pour = () => {
        while (!response.destroyed && response.write(ENDLESS_CHUNK));
      };
      response.on('drain', pour);
      pour();
      return;
    }
    default:
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
      response.end(reply.body);
  }
}

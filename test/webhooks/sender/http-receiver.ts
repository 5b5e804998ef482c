import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

/** A server whose response to each webhook is set by the test, down to the last header. */
export interface HttpReceiver {
  readonly port: number;
  readonly url: string;
  /** Headers of every request whose body has arrived, in order. */
  readonly requests: readonly IncomingMessage['headers'][];
  readonly connections: number;
  close(): Promise<void>;
}

export interface HttpReceiverOptions {
  /** Listen address; the loopback address when left out. */
  readonly host?: string;
  /** A free port when left out. */
  readonly port?: number;
  /** PEM; makes the receiver use https. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** Writes the response to a request whose body has arrived; `count` is 1 for the first request. */
export type WriteResponse = (response: ServerResponse, count: number, request: IncomingMessage, body: string) => void;

/** Starts an HTTP server that responds with `answer`. */
export async function startHttpReceiver(
  answer: WriteResponse,
  { host = '127.0.0.1', port = 0, tls }: HttpReceiverOptions = {},
): Promise<HttpReceiver> {
  const requests: IncomingMessage['headers'][] = [];
  const onRequest: RequestListener = (request, response) => {
    // The tests include senders that disconnect.
    response.on('error', () => undefined);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      answer(response, requests.push(request.headers), request, Buffer.concat(chunks).toString('utf8'));
    });
  };
  const server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest);
  const base = await listen(server, host, port);
  const scheme = tls === undefined ? 'http' : 'https';
  return {
    ...base,
    get connections() {
      return base.connections;
    },
    url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${base.port}/hook`,
    requests,
    async close() {
      server.closeAllConnections();
      await base.close();
    },
  };
}

/** Starts a TCP server that passes each connection to `onSocket`: for what no HTTP server sends. */
export async function startTcpReceiver(onSocket: (socket: Socket) => void): Promise<Omit<HttpReceiver, 'requests'>> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    onSocket(socket.on('error', () => undefined));
  });
  const base = await listen(server, '127.0.0.1', 0);
  return {
    ...base,
    get connections() {
      return base.connections;
    },
    url: `http://127.0.0.1:${base.port}/hook`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await base.close();
    },
  };
}

// Helpers

async function listen(server: Server, host: string, port: number) {
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, ipv6Only: host.includes(':') }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

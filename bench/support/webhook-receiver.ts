import { createServer, type ServerResponse } from 'node:http';
import { listenAndPrintUrl } from './child.ts';

/**
 * The merchants' servers, all in one separate process. The first part of the path selects the
 * behaviour:
 *
 * - `/taking/…` 200 as soon as the request has arrived
 * - `/failing/…` 503
 * - `/silent/…` never responds
 *
 * `GET /` returns what has arrived since the last call.
 */
export interface ReceiverReport {
  /** POSTs answered with 200. */
  readonly taken: number;
  /** Maximum number of connections open at the same time. */
  readonly peakConnections: number;
  /** Arrivals of requests to `/taking/timed/…`: payload id and Unix time in ms with fractions. */
  readonly arrivals: readonly (readonly [webhookEventId: string, at: number])[];
}

const RESPONSE = '{"received":true}';
const RESPONSE_HEADERS = { 'content-type': 'application/json', 'content-length': RESPONSE.length };

let taken = 0;
let openConnections = 0;
let peakConnections = 0;
let arrivals: [string, number][] = [];

const server = createServer((request, response) => {
  const { method, url = '/', headers } = request;
  if (method === 'GET') return report(response);
  if (url.startsWith('/taking/timed/')) arrivals.push([String(headers['webhook-id']), now()]);
  request.resume();
  request.on('end', () => {
    if (url.startsWith('/silent/')) return;
    if (url.startsWith('/taking/')) taken += 1;
    response.writeHead(url.startsWith('/taking/') ? 200 : 503, RESPONSE_HEADERS).end(RESPONSE);
  });
});
// Senders may keep connections as long as they like: closed ones would distort the bench.
server.keepAliveTimeout = 0;
server.on('connection', (socket) => {
  openConnections += 1;
  peakConnections = Math.max(peakConnections, openConnections);
  socket.on('close', () => {
    openConnections -= 1;
  });
});

listenAndPrintUrl(server);

// Helpers

function report(response: ServerResponse): void {
  const answer: ReceiverReport = { taken, peakConnections, arrivals };
  taken = 0;
  arrivals = [];
  peakConnections = openConnections;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answer));
}

/** Comparable between processes of one machine. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

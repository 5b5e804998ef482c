import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

/** A request as it is sent over the wire. */
export interface SentRequest {
  readonly method: string;
  /** Path and query as in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Sender {
  send(request: SentRequest): Promise<ReceivedResponse>;
  close(): void;
}

/** Far longer than any request takes on a busy machine: after this a request counts as hanging. */
const HANG_MS = 45_000;

/** Sends over real keep-alive connections, because Node's HTTP parser is part of what is tested. */
export function createSender(origin: string): Sender {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true });
  return {
    close: () => agent.destroy(),
    send: ({ method, target, headers, body }) =>
      new Promise((resolve, reject) => {
        const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
        const options = { agent, hostname, port, method, path: target, headers: { ...headers, ...length } };
        const outgoing = httpRequest(options, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            clearTimeout(guard);
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(chunks).toString('utf8'),
            });
          });
        });
        const guard = setTimeout(() => {
          outgoing.destroy(new Error(`no response within ${HANG_MS} ms`));
        }, HANG_MS);
        outgoing.on('error', (error) => {
          clearTimeout(guard);
          reject(error);
        });
        outgoing.end(body ?? undefined);
      }),
  };
}

import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

/** A request as it goes over the wire. */
export interface SentRequest {
  readonly method: string;
  /** Path and query as they stand in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Sender {
  send(request: SentRequest): Promise<ReceivedAnswer>;
  close(): void;
}

/** Far more than any request takes, also on a busy machine: what is not answered by then never will be. */
const HANG_MS = 45_000;

/** Sends over real connections, which are kept: what Node's HTTP parser makes of a request is part of what is tested. */
export function createSender(origin: string): Sender {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true });
  return {
    close: () => agent.destroy(),
    send: ({ method, target, headers, body }) =>
      new Promise((resolve, reject) => {
        const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
        const options = { agent, hostname, port, method, path: target, headers: { ...headers, ...length } };
        const outgoing = httpRequest(options, (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            clearTimeout(guard);
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              text: Buffer.concat(chunks).toString('utf8'),
            });
          });
        });
        const guard = setTimeout(() => {
          outgoing.destroy(new Error(`no answer within ${HANG_MS} ms`));
        }, HANG_MS);
        outgoing.on('error', (error) => {
          clearTimeout(guard);
          reject(error);
        });
        outgoing.end(body ?? undefined);
      }),
  };
}

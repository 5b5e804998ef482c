import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A trace collector that accepts OTLP over HTTP in JSON, as the exporter sends it. */
export interface OtlpReceiver {
  /** Value for TRACES_URL. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Every request body, unparsed. */
  readonly bodies: readonly string[];
  /** The `Authorization` headers of the requests so far. */
  readonly authorizations: readonly (string | undefined)[];
  /** Number of requests that were started, with or without a response. */
  readonly requests: number;
  /**
   * Sets the response for all later requests; the default is `take`. `hang` reads and never
   * responds.
   */
  usually(answer: 'take' | 'refuse' | 'hang'): void;
  close(): Promise<void>;
}

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** SpanKind of OTLP: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  /** Status code of OTLP; 2 is an error. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly links: readonly string[];
  /** Resource attributes of the emitting process. */
  readonly resource: Readonly<Record<string, string | number | boolean>>;
}

/** Starts a receiver on a free port. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  let usual: 'take' | 'refuse' | 'hang' = 'take';
  let requests = 0;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests += 1;
    authorizations.push(request.headers.authorization);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (usual === 'hang') return;
    if (usual === 'refuse') {
      response.writeHead(400).end();
      return;
    }
    const body = Buffer.concat(chunks).toString('utf8');
    bodies.push(body);
    spans.push(...spansIn(JSON.parse(body) as Export));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }

  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://collector:pa55word@127.0.0.1:${port}/v1/traces`,
    spans,
    bodies,
    authorizations,
    get requests() {
      return requests;
    },
    usually(answer) {
      usual = answer;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

// Helpers

/** The parsed part of an ExportTraceServiceRequest (opentelemetry-proto, JSON encoding). */
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status?: { readonly code?: number };
  readonly attributes?: readonly KeyValue[];
  readonly links?: readonly { readonly spanId: string }[];
}

interface KeyValue {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly intValue?: number;
    readonly doubleValue?: number;
    readonly boolValue?: boolean;
  };
}

function spansIn({ resourceSpans }: Export): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        name: span.name,
        kind: span.kind,
        status: span.status?.code ?? 0,
        attributes: valuesOf(span.attributes ?? []),
        links: (span.links ?? []).map(({ spanId }) => spanId),
        resource: valuesOf(resource.attributes),
      })),
    ),
  );
}

function valuesOf(attributes: readonly KeyValue[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue ?? '',
    ]),
  );
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Tracer } from '../../tracer.ts';
import { currentWork, inWork, isTraceparent, resumeWork, type Work } from '../../work-context.ts';

/** Asked every few seconds by whoever watches the service: a trace of them tells nothing. */
const UNTRACED: ReadonlySet<string | undefined> = new Set(['/v1/health', '/live', '/ready']);

/**
 * Makes every request a piece of work of its own under the id that its caller gets as `X-Request-Id`, and a span. To be added
 * before every other hook: whatever runs for the request runs inside of it.
 */
export function beginWork(app: FastifyInstance, tracer: Tracer): void {
  const works = new WeakMap<FastifyRequest, Work | null>();
  app.addHook('onRequest', (request, reply, done) => {
    const go = () => {
      works.set(request, currentWork());
      done();
    };
    inWork({ requestId: request.id }, () => {
      if (tracer.isOn && !UNTRACED.has(request.routeOptions.url)) void traced(tracer, { request, reply }, go);
      else go();
    });
  });
  // A body arrives in the async context of the connection, which may have carried other requests before.
  app.addHook('preValidation', (request, _reply, done) => {
    resumeWork(works.get(request) ?? null, done);
  });
}

// Helpers

/** The span lasts until the answer is out, or the caller is gone. */
function traced(
  tracer: Tracer,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  go: () => void,
): Promise<void> {
  const route = request.routeOptions.url;
  const options = {
    kind: 'server',
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'quittance.request.id': request.id,
    },
    link: strangersSpan(request),
  } as const;
  return tracer.span(`${request.method} ${route ?? 'unknown'}`, options, async (span) => {
    const work = currentWork();
    const ended = new Promise<void>((resolve) => reply.raw.once('close', resolve));
    go();
    await ended;
    const status = reply.raw.headersSent ? reply.statusCode : null;
    span.set({ 'http.response.status_code': status, 'quittance.merchant.id': work?.facts.merchantId });
    if (status === null || status >= 500) span.fail(status === null ? 'NOT_ANSWERED' : `HTTP ${status}`);
  });
}

/**
 * The caller's span becomes a link and not the parent: anybody can call, and a stranger must not decide which traces are
 * recorded, nor put requests into traces of others.
 */
function strangersSpan({ headers: { traceparent } }: FastifyRequest): string | null {
  return typeof traceparent === 'string' && isTraceparent(traceparent) ? traceparent : null;
}

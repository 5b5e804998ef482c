import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  currentContext,
  isTraceparent,
  type RequestContext,
  runInContext,
  runInNewContext,
} from '../../../platform/request-context.ts';
import type { Tracer } from '../../../platform/tracer.ts';

/** Probes that run every few seconds; tracing them is of no use. */
const UNTRACED: ReadonlySet<string | undefined> = new Set(['/v1/health', '/live', '/ready']);

/**
 * Gives every request its own context, with the id that the caller gets as
 * `X-Request-Id`, and a span. Must be added before all other hooks, so that everything
 * for the request runs in its context.
 */
export function beginRequestContext(app: FastifyInstance, tracer: Tracer): void {
  const contexts = new WeakMap<FastifyRequest, RequestContext | null>();
  app.addHook('onRequest', (request, reply, done) => {
    const go = () => {
      contexts.set(request, currentContext());
      done();
    };
    runInNewContext({ requestId: request.id }, () => {
      if (tracer.isOn && !UNTRACED.has(request.routeOptions.url)) void traced(tracer, { request, reply }, go);
      else go();
    });
  });
  // A body arrives in the async context of its connection, which may have carried other requests.
  app.addHook('preValidation', (request, _reply, done) => {
    runInContext(contexts.get(request) ?? null, done);
  });
}

// Helpers

/** The span ends when the response is sent or the client disconnects. */
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
    const context = currentContext();
    const ended = new Promise<void>((resolve) => reply.raw.once('close', resolve));
    go();
    await ended;
    const status = reply.raw.headersSent ? reply.statusCode : null;
    span.set({ 'http.response.status_code': status, 'quittance.merchant.id': context?.ids.merchantId });
    if (status === null || status >= 500) span.fail(status === null ? 'NOT_ANSWERED' : `HTTP ${status}`);
  });
}

/**
 * The caller's span becomes a link, not the parent: anyone can call, and must not decide which
 * traces are recorded or add requests to other traces.
 */
function strangersSpan({ headers: { traceparent } }: FastifyRequest): string | null {
  return typeof traceparent === 'string' && isTraceparent(traceparent) ? traceparent : null;
}

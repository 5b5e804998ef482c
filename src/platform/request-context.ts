import { AsyncLocalStorage } from 'node:async_hooks';
import { isId } from './ids.ts';

/**
 * The ids of the request, merchant and actor that code runs for, to correlate logs and traces. They
 * are propagated separately from the data, in an `AsyncLocalStorage`, in an outbox column and in
 * bus headers. No decision may depend on them.
 */
export interface RequestIds {
  /** `X-Request-Id` of the request that caused this, however long ago. */
  readonly requestId: string | null;
  readonly merchantId: string | null;
  readonly actorId: string | null;
}

/** The ids and the active span as a W3C `traceparent` (null without tracing). */
export interface RequestContext {
  readonly ids: RequestIds;
  readonly trace: string | null;
}

/** Some parts of a request context, in one object. */
export type ContextFields = Partial<RequestIds & Pick<RequestContext, 'trace'>>;

/** Runs `run` in a new request context, independent of the caller's. */
export function runInNewContext<T>(fields: ContextFields, run: () => T): T {
  const { requestId = null, merchantId = null, actorId = null, trace = null } = fields;
  return current.run({ ids: { requestId, merchantId, actorId }, trace }, run);
}

/** Runs `run` in a context that `currentContext` returned; `null` runs it outside of any. */
export function runInContext<T>(context: RequestContext | null, run: () => T): T {
  return context === null ? current.exit(run) : current.run(context as Current, run);
}

export function runInSpan<T>(trace: string | null, run: () => T): T {
  const ids = current.getStore()?.ids ?? { requestId: null, merchantId: null, actorId: null };
  return current.run({ ids, trace }, run);
}

/**
 * Returns the current request context. A queue that runs a call later, in another caller's context,
 * restores it with `runInContext`.
 */
export function currentContext(): RequestContext | null {
  return current.getStore() ?? null;
}

/** Adds ids to the current request context. */
export function bindRequestContext(ids: Partial<RequestIds>): void {
  const context = current.getStore();
  if (context !== undefined) Object.assign(context.ids, ids);
}

/**
 * Serializes the current request context for other processes: words separated by spaces, each
 * optional, like `00-4bf9…-00f0…-01 req_… mer_…`. Null when there is nothing to propagate.
 */
export function serializeContext(): string | null {
  const context = current.getStore();
  if (context === undefined) return null;
  const { trace, ids } = context;
  const words = [trace, ids.requestId, ids.merchantId].filter((word) => word !== null);
  return words.length === 0 ? null : words.join(' ');
}

/** Parses `serializeContext`. Unknown words are ignored: another version may add some. */
export function parseContext(serialized: string | null): ContextFields {
  if (serialized === null) return {};
  const words = serialized.split(' ');
  return {
    trace: words.find(isTraceparent) ?? null,
    requestId: words.find((word) => isId('req', word)) ?? null,
    merchantId: words.find((word) => word.startsWith('mer_')) ?? null,
  };
}

/** Returns the log fields of a request context; empty without one. */
export function logFieldsOf(fields: ContextFields): Record<string, string> {
  const { requestId = null, merchantId = null, actorId = null, trace = null } = fields;
  return {
    ...(requestId === null ? {} : { requestId }),
    ...(merchantId === null ? {} : { merchantId }),
    ...(actorId === null ? {} : { actorId }),
    ...(trace === null ? {} : { traceId: traceIdOf(trace) }),
  };
}

/** W3C Trace Context, version 00: neither id may be all zeros. */
export function isTraceparent(text: string): boolean {
  return /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(text);
}

// Helpers

function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

interface Current {
  readonly ids: { requestId: string | null; merchantId: string | null; actorId: string | null };
  readonly trace: string | null;
}

/**
 * The only module-level state of the service: an async context belongs to its process, as
 * `process.env` does, and a logger in a driver's callback must find it without a parameter. It
 * costs nothing until the first `run`.
 */
const current = new AsyncLocalStorage<Current>();

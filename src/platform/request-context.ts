import { AsyncLocalStorage } from 'node:async_hooks';
import { isId } from './ids.ts';

/**
 * Request context: identifies the request, merchant and actor that work is done for, to correlate
 * logs and traces. It is propagated separately from the data, in an `AsyncLocalStorage`, in an
 * outbox column and in bus headers. No decision may depend on it.
 */
export interface WorkIds {
  /** `X-Request-Id` of the request that caused the work, however long ago. */
  readonly requestId: string | null;
  readonly merchantId: string | null;
  readonly actorId: string | null;
}

/**
 * The current request context and its active span as a W3C `traceparent` (null without tracing).
 */
export interface Work {
  readonly facts: WorkIds;
  readonly trace: string | null;
}

/**
 * Runs `run` in a new request context, independent of the caller's; `null` runs it outside of any.
 */
export function inWork<T>(work: Partial<WorkIds & Pick<Work, 'trace'>> | null, run: () => T): T {
  if (work === null) return current.exit(run);
  const { requestId = null, merchantId = null, actorId = null, trace = null } = work;
  return current.run({ facts: { requestId, merchantId, actorId }, trace }, run);
}

/** Runs `run` in another span of the current request context. */
export function inSpan<T>(trace: string | null, run: () => T): T {
  const facts = current.getStore()?.facts ?? { requestId: null, merchantId: null, actorId: null };
  return current.run({ facts, trace }, run);
}

/**
 * Returns the current request context, to be restored with `resumeWork` by a queue that runs the
 * work later, in another caller's context.
 */
export function currentWork(): Work | null {
  return current.getStore() ?? null;
}

export function resumeWork<T>(work: Work | null, run: () => T): T {
  return work === null ? current.exit(run) : current.run(work as Current, run);
}

/** Adds fields to the current request context. */
export function bindRequestContext(facts: Partial<WorkIds>): void {
  const work = current.getStore();
  if (work !== undefined) Object.assign(work.facts, facts);
}

/**
 * Serializes the request context for other processes: words separated by spaces, each optional,
 * like `00-4bf9…-00f0…-01 req_… mer_…`. Null when there is nothing to propagate.
 */
export function requestContext(): string | null {
  const work = current.getStore();
  if (work === undefined) return null;
  const { trace, facts } = work;
  const words = [trace, facts.requestId, facts.merchantId].filter((word) => word !== null);
  return words.length === 0 ? null : words.join(' ');
}

/** Parses `requestContext`. Unknown words are ignored: another version may add some. */
export function readRequestContext(carried: string | null): Partial<WorkIds & Pick<Work, 'trace'>> {
  if (carried === null) return {};
  const words = carried.split(' ');
  return {
    trace: words.find(isTraceparent) ?? null,
    requestId: words.find((word) => isId('req', word)) ?? null,
    merchantId: words.find((word) => word.startsWith('mer_')) ?? null,
  };
}

/** Returns the log fields of a request context; empty without one. */
export function logFieldsOf(work: Partial<WorkIds & Pick<Work, 'trace'>>): Record<string, string> {
  const { requestId = null, merchantId = null, actorId = null, trace = null } = work;
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
  readonly facts: { requestId: string | null; merchantId: string | null; actorId: string | null };
  readonly trace: string | null;
}

/**
 * The only module-level state of the service: an async context belongs to its process, as
 * `process.env` does, and a logger in a driver's callback must find it without a parameter. It
 * costs nothing until the first `run`.
 */
const current = new AsyncLocalStorage<Current>();

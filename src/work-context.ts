import { AsyncLocalStorage } from 'node:async_hooks';
import { isId } from './ids.ts';

/**
 * On whose behalf a piece of work is done. It is never part of the work: it goes beside it, in the async context of a
 * process, in a column of the outbox and in headers of the bus, so that what is said about the work, in logs and traces, can
 * be found together. Nothing may be decided by it.
 */
export interface WorkFacts {
  /** Of the request that caused it, however long ago: the `X-Request-Id` that its caller got. */
  readonly requestId: string | null;
  readonly merchantId: string | null;
  readonly actorId: string | null;
}

/** The work that runs: what is known of it, and the span it is in as a W3C `traceparent` (null without tracing). */
export interface Work {
  readonly facts: WorkFacts;
  readonly trace: string | null;
}

/** Runs something as a piece of work of its own, whatever work its caller belongs to; `null` for no known work. */
export function inWork<T>(work: Partial<WorkFacts & Pick<Work, 'trace'>> | null, run: () => T): T {
  if (work === null) return current.exit(run);
  const { requestId = null, merchantId = null, actorId = null, trace = null } = work;
  return current.run({ facts: { requestId, merchantId, actorId }, trace }, run);
}

/** Runs something in another span of the same work. */
export function inSpan<T>(trace: string | null, run: () => T): T {
  const facts = current.getStore()?.facts ?? { requestId: null, merchantId: null, actorId: null };
  return current.run({ facts, trace }, run);
}

/** The work that runs now, to be gone on with by `resumeWork`: what waits is begun by whoever made room for it. */
export function currentWork(): Work | null {
  return current.getStore() ?? null;
}

export function resumeWork<T>(work: Work | null, run: () => T): T {
  return work === null ? current.exit(run) : current.run(work as Current, run);
}

/** Adds what has just become known of the work that runs. */
export function noteWork(facts: Partial<WorkFacts>): void {
  const work = current.getStore();
  if (work !== undefined) Object.assign(work.facts, facts);
}

/**
 * What is carried beside a message on its way to other processes: words separated by spaces, each of them optional, like
 * `00-4bf9…-00f0…-01 req_… mer_…`. Null when there is nothing to carry.
 */
export function carriedWork(): string | null {
  const work = current.getStore();
  if (work === undefined) return null;
  const { trace, facts } = work;
  const words = [trace, facts.requestId, facts.merchantId].filter((word) => word !== null);
  return words.length === 0 ? null : words.join(' ');
}

/** Reads `carriedWork`. What it does not know is left out: another version may carry more. */
export function readCarriedWork(carried: string | null): Partial<WorkFacts & Pick<Work, 'trace'>> {
  if (carried === null) return {};
  const words = carried.split(' ');
  return {
    trace: words.find(isTraceparent) ?? null,
    requestId: words.find((word) => isId('req', word)) ?? null,
    merchantId: words.find((word) => word.startsWith('mer_')) ?? null,
  };
}

/** What every line of a log about this work says; empty outside of any. */
export function logFieldsOf(work: Partial<WorkFacts & Pick<Work, 'trace'>>): Record<string, string> {
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

/** The trace that a `traceparent` names. */
function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

interface Current {
  readonly facts: { requestId: string | null; merchantId: string | null; actorId: string | null };
  readonly trace: string | null;
}

/**
 * The one state of a module in this service: an async context belongs to its process, as `process.env` does, and a logger deep
 * in a driver's callback must find it without having been handed it. Until something is run in it, it costs nothing.
 */
const current = new AsyncLocalStorage<Current>();

import {
  type Context,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { RetryableError, TerminalError } from '../errors.ts';
import { scrubText } from '../log.ts';
import { currentContext, isTraceparent, runInSpan } from '../request-context.ts';
import type { Attributes, Span, SpanOptions, Tracer } from '../tracer.ts';

/**
 * Implements `Tracer` with OpenTelemetry. The active span is kept in the request context as text,
 * not in an OpenTelemetry context, so that parents look the same in this process, in an outbox row
 * and in a message.
 */
export function createOtelTracer(otel: OtelTracer): Tracer {
  return {
    isOn: true,
    span(name, { kind, attributes, link = null }, work) {
      const started = otel.startSpan(
        name,
        { kind: KINDS[kind], attributes: known(attributes), links: linksOf(link) },
        parentOf(currentContext()?.trace ?? null),
      );
      return runInSpan(traceparentOf(started.spanContext()), () => settle(started, work));
    },
  };
}

// Helpers

const KINDS: { readonly [K in SpanOptions['kind']]: SpanKind } = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** Maximum length of a text attribute. */
const MAX_TEXT_CHARACTERS = 500;

async function settle<T>(started: OtelSpan, work: (span: Span) => Promise<T>): Promise<T> {
  const span: Span = {
    set: (attributes) => void started.setAttributes(known(attributes)),
    fail: (code) => void started.setStatus({ code: SpanStatusCode.ERROR, message: code }),
  };
  try {
    return await work(span);
  } catch (error) {
    span.fail(codeOf(error));
    throw error;
  } finally {
    started.end();
  }
}

/** The error message is left out: it may contain user input. */
function codeOf(error: unknown): string {
  if (error instanceof RetryableError || error instanceof TerminalError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

/** Drops null and undefined attributes and redacts text that looks like a secret. */
function known(attributes: Attributes): Record<string, string | number | boolean> {
  const entries = Object.entries(attributes).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    return [[name, typeof value === 'string' ? scrubText(value).slice(0, MAX_TEXT_CHARACTERS) : value] as const];
  });
  return Object.fromEntries(entries);
}

function parentOf(traceparent: string | null): Context {
  const parent = spanContextOf(traceparent);
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
}

function linksOf(traceparent: string | null): { context: SpanContext }[] {
  const linked = spanContextOf(traceparent);
  return linked === null ? [] : [{ context: linked }];
}

function spanContextOf(traceparent: string | null): SpanContext | null {
  if (traceparent === null || !isTraceparent(traceparent)) return null;
  const [, traceId = '', spanId = '', flags = '0'] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

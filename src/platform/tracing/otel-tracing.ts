import { hostname } from 'node:os';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type { Log } from '../log.ts';
import { VERSION } from '../version.ts';
import { settledWithin } from '../within.ts';
import { createOtelTracer } from './otel-tracer.ts';
import type { Tracing, TracingOptions } from './types.ts';

/** Finished spans waiting for export; further ones are dropped. About 8 MB when full. */
const MAX_WAITING_SPANS = 4_096;
const MAX_SPANS_PER_EXPORT = 512;
/** Maximum delay between the end of a span and its export, while the collector keeps up. */
const EXPORT_EVERY_MS = 1_000;
/** Timeout of one export including its retries; spans not sent by then are dropped. */
const EXPORT_TIMEOUT_MS = 5_000;
/** How long `close` waits for the last export. */
const CLOSE_WITHIN_MS = 3_000;

/**
 * Exports spans with OTLP over HTTP in the background. A slow or unavailable collector costs spans,
 * but no latency and no memory beyond the limits above.
 */
export function openOtelTracing({ url, sample, roles, log }: TracingOptions & { readonly url: string }): Tracing {
  const exporter = logOutages(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS }), log);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'quittance',
      'service.version': VERSION,
      'service.instance.id': `${hostname()}:${process.pid}`,
      'quittance.roles': roles.join(','),
    }),
    // A trace is recorded in every process or in none; its root decides.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sample) }),
    spanProcessors: [
      new BatchSpanProcessor(exporter, {
        maxQueueSize: MAX_WAITING_SPANS,
        maxExportBatchSize: MAX_SPANS_PER_EXPORT,
        scheduledDelayMillis: EXPORT_EVERY_MS,
        exportTimeoutMillis: 2 * EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  return {
    tracer: createOtelTracer(provider.getTracer('quittance', VERSION)),
    async close() {
      // Lost spans were already logged when the exports began to fail.
      await settledWithin([provider.shutdown()], CLOSE_WITHIN_MS);
    },
  };
}

// Helpers

/**
 * Wraps an exporter to log once when spans begin to be lost and once when exports succeed again.
 */
function logOutages(exporter: SpanExporter, log: Log): SpanExporter {
  let lost = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        // 0 is success; the enum is in a package that only the exporter depends on.
        if (result.code === 0) {
          if (lost > 0) log.info({ lost }, 'traces are exported again');
          lost = 0;
        } else {
          if (lost === 0) {
            log.warn(
              { reason: reasonOf(result.error) },
              'traces cannot be exported and are dropped (check TRACES_URL)',
            );
          }
          lost += spans.length;
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/** The response body is not logged: its content and size are unbounded. */
function reasonOf(error: (Error & { code?: unknown }) | undefined): string {
  if (error === undefined) return 'unknown';
  if (typeof error.code === 'number') return `it returned ${error.code}`;
  return typeof error.code === 'string' ? error.code : error.message;
}

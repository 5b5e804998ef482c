import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { VERSION } from '../version.ts';
import { createOtelTracer } from './otel-tracer.ts';
import { tellOutages } from './tell-outages.ts';
import type { Tracing, TracingOptions } from './types.ts';

/** Finished spans that wait to be sent; beyond it new ones are dropped. About 8 MB when full. */
const MAX_WAITING_SPANS = 4_096;
const MAX_SPANS_PER_EXPORT = 512;
/** A span is sent this long after its end at the latest, while the receiver keeps up. */
const EXPORT_EVERY_MS = 1_000;
/** One export with its retries. What it could not send by then is dropped. */
const EXPORT_TIMEOUT_MS = 5_000;
/** How long a stop waits for the last spans. */
const CLOSE_WITHIN_MS = 3_000;

/**
 * Spans that are sent with OTLP over HTTP, beside everything else: a receiver that is slow or down costs spans, and neither
 * time nor memory beyond the bounds above.
 */
export function openOtelTracing({ url, sample, roles, log }: TracingOptions & { readonly url: string }): Tracing {
  const exporter = tellOutages(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS }), log);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'quittance',
      'service.version': VERSION,
      'service.instance.id': `${hostname()}:${process.pid}`,
      'quittance.roles': roles.join(','),
    }),
    // A trace is recorded in every process or in none; which ones is decided where it begins.
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
      const patience = new AbortController();
      // What could not be sent was told when the receiver went away.
      const sent = provider.shutdown().catch(() => {});
      const late = sleep(CLOSE_WITHIN_MS, undefined, { signal: patience.signal }).catch(() => {});
      await Promise.race([sent, late]);
      patience.abort();
    },
  };
}

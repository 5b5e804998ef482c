import { noTracer } from '../tracer.ts';
import type { Tracing, TracingOptions } from './types.ts';

/**
 * Returns the tracer for these settings. The OpenTelemetry SDK is loaded only when a URL is set.
 */
export async function openTracing(options: TracingOptions): Promise<Tracing> {
  const { url, ...rest } = options;
  if (url === null) return { tracer: noTracer, close: async () => {} };
  const { openOtelTracing } = await import('./otel-tracing.ts');
  return openOtelTracing({ ...rest, url });
}

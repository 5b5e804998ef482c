import { noTracer } from '../tracer.ts';
import type { Tracing, TracingOptions } from './types.ts';

/** A tracer as the settings want it. What records and sends spans is loaded only when they are wanted. */
export async function openTracing(options: TracingOptions): Promise<Tracing> {
  const { url, ...rest } = options;
  if (url === null) return { tracer: noTracer, close: async () => {} };
  const { openOtelTracing } = await import('./otel-tracing.ts');
  return openOtelTracing({ ...rest, url });
}

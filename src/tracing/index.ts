/** The door of tracing: the only folder that knows OpenTelemetry. */

export { openTracing } from './open-tracing.ts';
export type { Tracing, TracingOptions } from './types.ts';

/** Tracing: the only folder that imports OpenTelemetry. */

export { openTracing } from './open-tracing.ts';
export type { Tracing } from './types.ts';

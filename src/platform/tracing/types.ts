import type { Log } from '../log.ts';
import type { Tracer } from '../tracer.ts';

export interface TracingOptions {
  /**
   * OTLP/HTTP endpoint for traces; null disables tracing. May contain credentials: never include it
   * in a message.
   */
  readonly url: string | null;
  /** Fraction of traces to record, 0 to 1. */
  readonly sample: number;
  readonly roles: readonly string[];
  readonly log: Log;
}

export interface Tracing {
  readonly tracer: Tracer;
  /** Exports the remaining spans within a time limit. Never rejects. */
  close(): Promise<void>;
}

import type { Log } from '../log.ts';
import type { Tracer } from '../tracer.ts';

export interface TracingOptions {
  /** OTLP/HTTP endpoint for traces; null: nothing is traced. May carry credentials: never put it into a message. */
  readonly url: string | null;
  /** Share of traces that are recorded, 0 to 1. */
  readonly sample: number;
  readonly roles: readonly string[];
  readonly log: Log;
}

export interface Tracing {
  readonly tracer: Tracer;
  /** Sends what is left, for a bounded time. Never rejects. */
  close(): Promise<void>;
}

/**
 * What the service needs of tracing, in words of its own: who records spans and where they go is decided by whoever starts the
 * service. The span that runs is the `trace` of the current work (`work-context.ts`), so nobody hands spans around.
 */
export interface Tracer {
  /** False: nothing is recorded, and preparing attributes is a waste. */
  readonly isOn: boolean;
  /**
   * Runs `work` inside of a span, a child of the one that runs now, or the first of a new trace. The span ends when the work
   * settles, as failed when it rejects; the outcome is that of `work`. Never throws by itself.
   */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
}

export interface SpanOptions {
  /** Which side of an exchange it is, as OpenTelemetry tells them apart. */
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes: Attributes;
  /** `traceparent` of a span of somebody else's that has to do with it and is not its parent. */
  readonly link?: string | null;
}

/** What is null or undefined is not known and is left out. Ids, kinds and figures: no bodies, keys, mailboxes. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Span {
  set(attributes: Attributes): void;
  /** Marks it as failed with a short code; messages may repeat what somebody sent. */
  fail(code: string): void;
}

/** Records nothing. */
export const noTracer: Tracer = {
  isOn: false,
  span: (_name, _options, work) => work(noSpan),
};

// Helpers

const noSpan: Span = { set: () => {}, fail: () => {} };

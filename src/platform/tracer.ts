/**
 * The tracing interface of the service, independent of the library that records and exports spans.
 * The active span is the `trace` of the request context (`request-context.ts`), so it is not passed
 * as a parameter.
 */
export interface Tracer {
  /** False when nothing is recorded, so that callers can skip computing attributes. */
  readonly isOn: boolean;
  /**
   * Runs `work` in a child span of the active span, or in the root span of a new trace. The span
   * ends when `work` settles, with an error status if it rejects. Returns the result of `work`;
   * never throws on its own.
   */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
}

export interface SpanOptions {
  /** The OpenTelemetry span kind. */
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes: Attributes;
  /** `traceparent` of a related span that is not the parent. */
  readonly link?: string | null;
}

/**
 * Null and undefined attributes are omitted. Ids, kinds and numbers only: no bodies, keys or email
 * addresses.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Span {
  set(attributes: Attributes): void;
  /** Sets the error status with a short code; error messages may contain user input. */
  fail(code: string): void;
}

export const noTracer: Tracer = {
  isOn: false,
  span: (_name, _options, work) => work(noSpan),
};

// Helpers

const noSpan: Span = { set: () => {}, fail: () => {} };

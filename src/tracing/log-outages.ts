import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Log } from '../log.ts';

/**
 * Wraps an exporter to log once when spans begin to be lost and once when exports succeed again.
 */
export function logOutages(exporter: SpanExporter, log: Log): SpanExporter {
  let lost = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        // 0 is success; the enum is in a package that only the exporter depends on.
        if (result.code === 0) {
          if (lost > 0) log.info({ lost }, 'traces are sent again');
          lost = 0;
        } else {
          if (lost === 0) {
            log.warn({ reason: reasonOf(result.error) }, 'traces cannot be sent and are dropped (check TRACES_URL)');
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

// Helpers

/** The response body is not logged: its content and size are unbounded. */
function reasonOf(error: (Error & { code?: unknown }) | undefined): string {
  if (error === undefined) return 'unknown';
  if (typeof error.code === 'number') return `it answers ${error.code}`;
  return typeof error.code === 'string' ? error.code : error.message;
}

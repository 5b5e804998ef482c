import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Log } from '../log.ts';

/** The same exporter, with a line in the log when spans begin to be lost and one when they are sent again. */
export function tellOutages(exporter: SpanExporter, log: Log): SpanExporter {
  let lost = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        // 0 is success: the enumeration is in a package that only the exporter needs.
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

/** What a receiver answers is not repeated: it may hold anything, and as much as it likes. */
function reasonOf(error: (Error & { code?: unknown }) | undefined): string {
  if (error === undefined) return 'unknown';
  if (typeof error.code === 'number') return `it answers ${error.code}`;
  return typeof error.code === 'string' ? error.code : error.message;
}

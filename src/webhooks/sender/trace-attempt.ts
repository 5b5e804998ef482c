import type { Tracer } from '../../platform/tracer.ts';
import type { SendMessage } from '../send-message.ts';
import type { ClaimedAttempt } from './claim-attempts.ts';
import type { AttemptResult } from './make-attempt.ts';

/**
 * Runs an attempt inside a span. The trace context is not sent to the merchant's server: the
 * request is exactly what the documentation promises, and internal trace ids stay internal.
 */
export function traceAttempt(
  tracer: Tracer,
  { message, claimed }: { readonly message: SendMessage; readonly claimed: ClaimedAttempt },
  attempt: () => Promise<AttemptResult | null>,
): Promise<AttemptResult | null> {
  if (!tracer.isOn) return attempt();
  const attributes = {
    'quittance.delivery.id': message.deliveryId,
    'quittance.endpoint.id': message.endpointId,
    'quittance.merchant.id': claimed.merchantId,
    'quittance.attempt': message.attempt,
    'quittance.webhook.event': claimed.event,
    'quittance.webhook.event_id': claimed.webhookEventId,
    'server.address': hostOf(claimed.endpoint?.url),
  };
  return tracer.span('webhook attempt', { kind: 'client', attributes }, async (span) => {
    const made = await attempt();
    if (made === null) return null;
    const { result, durationMs } = made;
    const failure = result.kind === 'failed' ? result.failure : null;
    span.set({
      'http.response.status_code': result.kind === 'failed' ? result.failure.status : result.status,
      'quittance.attempt.failure': failure?.kind,
      'quittance.attempt.duration_ms': durationMs,
    });
    if (failure !== null) span.fail(failure.kind);
    return made;
  });
}

// Helpers

/** Without path and query, which may contain identifiers and tokens of the merchant. */
function hostOf(url: string | undefined): string | null {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : null;
}

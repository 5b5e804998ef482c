import type { Tracer } from '../../tracer.ts';
import type { SendMessage } from '../send-message.ts';
import type { MadeAttempt } from './make-attempt.ts';
import type { AttemptFacts } from './take-attempts.ts';

/**
 * Makes an attempt inside of a span. The merchant's server is told nothing of it: what it gets is the contract's, and the ids
 * of our traces are not its business.
 */
export function traceAttempt(
  tracer: Tracer,
  { message, facts }: { readonly message: SendMessage; readonly facts: AttemptFacts },
  attempt: () => Promise<MadeAttempt | null>,
): Promise<MadeAttempt | null> {
  if (!tracer.isOn) return attempt();
  const attributes = {
    'quittance.delivery.id': message.deliveryId,
    'quittance.endpoint.id': message.endpointId,
    'quittance.merchant.id': facts.merchantId,
    'quittance.attempt': message.attempt,
    'quittance.webhook.event': facts.event,
    'quittance.webhook.event_id': facts.webhookEventId,
    'server.address': hostOf(facts.endpoint?.url),
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

/** Paths and queries of endpoints hold what merchants tell them apart by, tokens too. */
function hostOf(url: string | undefined): string | null {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : null;
}

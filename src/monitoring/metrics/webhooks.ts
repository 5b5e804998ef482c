import { Counter, Histogram, type Registry } from 'prom-client';
import type { MailObserver } from '../../mail/index.ts';
import type { SenderObserver } from '../../webhooks/index.ts';

/**
 * Webhook attempts. Endpoints are not a label, because there may be any number; failing ones are
 * found in their delivery log.
 */
export function webhookInstruments(registry: Registry): SenderObserver {
  const attempts = new Histogram({
    name: 'quittance_webhook_attempt_duration_seconds',
    help: 'Webhook attempts, by outcome: delivered, or why not (status, redirect, timeout, dns, tls, connection, blocked …).',
    labelNames: ['outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers: [registry],
  });
  const deferred = new Counter({
    name: 'quittance_webhook_attempts_deferred_total',
    help: 'Attempts put off because their endpoint fails nearly every delivery, or has more waiting than it takes.',
    registers: [registry],
  });
  attempts.zero({ outcome: 'delivered' });
  return {
    attempted: ({ outcome, durationMs }) => attempts.observe({ outcome }, durationMs / 1_000),
    deferred: () => deferred.inc(),
  };
}

/** Mails sent to the mail server. */
export function mailInstruments(registry: Registry): MailObserver {
  const tries = new Counter({
    name: 'quittance_mail_tries_total',
    help: 'Tries to send a mail: sent, later (tried again), bounced, refused, gave_up.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['sent', 'later', 'bounced', 'refused', 'gave_up']) tries.inc({ outcome }, 0);
  return { tried: (outcome) => tries.inc({ outcome }) };
}

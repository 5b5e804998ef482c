import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { WatchObserver } from '../../chains/index.ts';
import type { MailObserver } from '../../mail/index.ts';
import type { BusObserver } from '../../platform/bus/index.ts';
import type { RelayObserver, TimerObserver } from '../../platform/engine/index.ts';
import type { SenderObserver } from '../../webhooks/index.ts';

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Messages published from the outbox. */
export function relayInstruments(registry: Registry): RelayObserver {
  const published = new Histogram({
    name: 'quittance_outbox_publish_duration_seconds',
    help: 'Time until the bus accepted or rejected a message; without NATS, until its handler settled it.',
    labelNames: ['queue', 'outcome'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  return {
    published: ({ queue, outcome, durationMs }) => published.observe({ queue, outcome }, durationMs / 1_000),
  };
}

/** Messages delivered by the bus. */
export function busInstruments(registry: Registry): BusObserver {
  const handling = new Histogram({
    name: 'quittance_bus_handling_duration_seconds',
    help: 'Time a handler took for a message. retry: redelivered later; failed: unexpected error; rejected: becomes a dead letter.',
    labelNames: ['queue', 'outcome'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  const deadLettered = new Counter({
    name: 'quittance_bus_dead_letters_total',
    help: 'Messages of this process that became dead letters.',
    labelNames: ['queue'],
    registers: [registry],
  });
  return {
    processed: ({ queue, outcome, durationMs }) => handling.observe({ queue, outcome }, durationMs / 1_000),
    deadLettered: (queue) => deadLettered.inc({ queue }),
  };
}

/** Whether the bus responds, checked at every scrape. */
export function busState(registry: Registry, isReachable: () => Promise<boolean>): void {
  new Gauge({
    name: 'quittance_bus_up',
    help: '1 when NATS responds; always 1 for the in-process bus.',
    registers: [registry],
    async collect() {
      this.set((await isReachable()) ? 1 : 0);
    },
  });
}

/** Timers that became due. */
export function timerInstruments(registry: Registry): TimerObserver {
  const registers = [registry];
  const leased = new Counter({
    name: 'quittance_timers_leased_total',
    help: 'Due timers published by this process, including repetitions, by what they waited for.',
    labelNames: ['waits_for'],
    registers,
  });
  const lateness = new Histogram({
    name: 'quittance_timer_lateness_seconds',
    help: 'How late a timer was published. Timers that wait for a chain include the delay of its watcher.',
    labelNames: ['waits_for'],
    buckets: [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600],
    registers,
  });
  const failures = new Counter({
    name: 'quittance_timer_publish_failures_total',
    help: 'Due timers that the bus did not accept; they are published again.',
    registers,
  });
  for (const waits_for of ['clock', 'chain']) leased.inc({ waits_for }, 0);

  return {
    leased({ waitsFor, lateMs }) {
      leased.inc({ waits_for: waitsFor });
      if (lateMs !== null) lateness.observe({ waits_for: waitsFor }, lateMs / 1_000);
    },
    publishFailed: () => failures.inc(),
  };
}

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
    help: 'Attempts postponed because their endpoint fails nearly every delivery, or receives more than it accepts.',
    registers: [registry],
  });
  attempts.zero({ outcome: 'delivered' });
  return {
    attempted: ({ outcome, durationMs }) => attempts.observe({ outcome }, durationMs / 1_000),
    deferred: () => deferred.inc(),
  };
}

/** Emails sent to the mail server. */
export function mailInstruments(registry: Registry): MailObserver {
  const tries = new Counter({
    name: 'quittance_mail_tries_total',
    help: 'Attempts to send emails, by outcome: sent, later (retried), bounced, refused, gave_up.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['sent', 'later', 'bounced', 'refused', 'gave_up']) tries.inc({ outcome }, 0);
  return { tried: (outcome) => tries.inc({ outcome }) };
}

/** Metrics of the chain watchers in this process. */
export function watchInstruments(registry: Registry): WatchObserver {
  const registers = [registry];
  const polls = new Histogram({
    name: 'quittance_chain_poll_duration_seconds',
    help: 'Polls of a network by the watcher of this process, by outcome: succeeded or failed.',
    labelNames: ['network', 'outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const blocks = new Counter({
    name: 'quittance_chain_blocks_scanned_total',
    help: 'Blocks scanned by the watcher of this process.',
    labelNames: ['network'],
    registers,
  });
  const observations = new Counter({
    name: 'quittance_chain_observations_total',
    help: 'Observations sent to payments, by the state of the coins: mempool, block, confirmed or gone.',
    labelNames: ['network', 'status'],
    registers,
  });
  return {
    polled({ network, hasFailed, durationMs, blocks: scanned }) {
      polls.observe({ network, outcome: hasFailed ? 'failed' : 'succeeded' }, durationMs / 1_000);
      blocks.inc({ network }, scanned);
    },
    observed: ({ network, status }) => observations.inc({ network, status }),
  };
}

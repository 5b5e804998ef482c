import type { Kysely } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { type Database, settleAll } from '../platform/db/index.ts';
import { messageOf } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { createPollLoop, type PollLoop } from '../platform/poll-loop.ts';
import type { SendResult } from './classify-send-error.ts';
import { claimDueEmails, type EmailVerdict, type QueuedEmail, settleEmail, storeUnsentEmails } from './mail-queue.ts';
import type { NotifyActor } from './process-bounces.ts';
import { nextTryAt } from './retry-schedule.ts';
import { type MailTransport, SEND_TIMEOUT_MS } from './smtp-transport.ts';

export interface MailWorkerDeps {
  readonly db: Kysely<Database>;
  /** Null without a mail server: emails are stored, not sent. */
  readonly transport: MailTransport | null;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Notifies the actor of an email that its mailbox does not exist. Without it bounces are only
   * recorded.
   */
  readonly notifyActor?: NotifyActor;
  readonly pollEveryMs?: number;
  /** Pause after the mail server was unavailable, in ms. */
  readonly awayPauseMs?: number;
  readonly closeGraceMs?: number;
  readonly observer?: MailObserver | undefined;
}

/** Called for every attempt. Must be fast and must not throw. */
export interface MailObserver {
  /** `later` means that the email is retried. */
  tried(outcome: 'sent' | 'later' | 'bounced' | 'refused' | 'gave_up'): void;
}

const POLL_EVERY_MS = 2_000;
const AWAY_PAUSE_MS = 30_000;
const CLOSE_GRACE_MS = 5_000;
/** Emails sent concurrently, and so connections to the mail server. */
const MAILS_AT_ONCE = 4;
/**
 * Longer than an attempt, so that two workers send an email only if one of them died or stalled.
 */
const LEASE_MS = SEND_TIMEOUT_MS + 60_000;

/**
 * Sends the emails that commits have written to the table `mail`. The table is the queue, not the
 * bus: an email may have to wait for two days, and in the table it occupies no consumer slot,
 * survives the loss of the bus, and can be inspected. Any number of processes may run a worker.
 *
 * An email is sent **at least once**. If a worker dies between the server's acceptance and the
 * commit of `sent`, the email is sent again when the lease ends, with the same Message-ID. SMTP has
 * no way to check whether the first was accepted, so such an email is counted (`uncertain_tries`)
 * and logged, and sent.
 *
 * `stop` waits briefly for emails being sent. Those cut off are sent again when their lease ends.
 */
export function createMailWorker(deps: MailWorkerDeps): PollLoop {
  const { db, transport, clock, log } = deps;
  /** Cuts off what is still being sent. */
  const closing = new AbortController();
  let isServerAway = false;

  /** Returns whether the server is available for more. */
  async function sendDue(to: MailTransport, stopping: AbortSignal): Promise<boolean> {
    for (;;) {
      const lease = { now: clock.now(), leaseMs: LEASE_MS, limit: MAILS_AT_ONCE };
      const emails = stopping.aborted ? [] : await claimDueEmails(db, lease);
      if (emails.length === 0) return true;
      for (const email of emails) logUncertain(email);
      const isUp = await settleAll(emails.map((email) => sendOne(to, email, stopping)));
      if (isUp.includes(false)) return false;
    }
  }

  /** False when the server is unavailable. */
  async function sendOne(to: MailTransport, email: QueuedEmail, stopping: AbortSignal): Promise<boolean> {
    if (stopping.aborted) {
      // Nothing was sent: the next worker may try immediately, and the outcome is not uncertain.
      const now = clock.now();
      await settleEmail(
        db,
        email,
        { state: 'queued', nextTryAt: now, reason: 'the service stopped before sending' },
        now,
      );
      return true;
    }
    let result: SendResult;
    try {
      result = await to.send(email, closing.signal);
    } catch (error) {
      // Cut off by shutdown: the outcome is unknown, so the lease must expire.
      if (closing.signal.aborted) return false;
      throw error;
    }
    logServerChange(result);
    const found = verdictOn(email, result, clock.now());
    const verdict = (await reportBounce(email, result)) ? found : laterThan(email, found, clock.now());
    if (await settleEmail(db, email, verdict, clock.now())) logVerdict(email, verdict);
    return !(result.kind === 'later' && result.isServerAway);
  }

  /**
   * Notifies the actor of an email that bounced, before the bounce is recorded: a crash in between
   * repeats the attempt, which bounces again and repeats the same event. False when the actor could
   * not be notified.
   */
  async function reportBounce({ id: mailId, actorId }: QueuedEmail, result: SendResult): Promise<boolean> {
    if (result.kind !== 'bounced' || actorId === null) return true;
    try {
      await deps.notifyActor?.(actorId, mailId);
      return true;
    } catch (error) {
      log.error(
        { mailId, actorId, reason: messageOf(error) },
        'a bounce could not be reported to its actor; retrying the email',
      );
      return false;
    }
  }

  /**
   * One log line when the server becomes unavailable and one when it is back, however many emails
   * are affected.
   */
  function logServerChange(result: SendResult): void {
    const isAway = result.kind === 'later' && result.isServerAway;
    if (isAway && !isServerAway) log.error({ reason: result.reason }, 'SMTP server unavailable; emails stay queued');
    if (!isAway && isServerAway) log.info('SMTP server available again');
    isServerAway = isAway;
  }

  function logUncertain({ id: mailId, uncertainTries, isUncertain }: QueuedEmail): void {
    if (isUncertain)
      log.warn({ mailId, uncertainTries }, 'unknown whether this email was sent; sending it, possibly a second time');
  }

  function logVerdict({ id: mailId, tries }: QueuedEmail, verdict: EmailVerdict): void {
    deps.observer?.tried(observed(verdict));
    if (verdict.state === 'sent') log.debug({ mailId, tries }, 'email sent');
    else if (verdict.state === 'queued') log.debug({ mailId, tries, reason: verdict.reason }, 'email not sent yet');
    else log.warn({ mailId, tries, because: verdict.because, reason: verdict.reason }, 'email failed');
  }

  const loop = createPollLoop({
    async work(stopping) {
      if (transport === null) await storeUnsentEmails(db, clock.now());
      else if (!(await sendDue(transport, stopping))) return deps.awayPauseMs ?? AWAY_PAUSE_MS;
    },
    everyMs: deps.pollEveryMs ?? POLL_EVERY_MS,
    onFailure: (error) => log.error({ reason: messageOf(error) }, 'emails could not be sent; retrying'),
  });

  return {
    start: loop.start,
    async stop() {
      const grace = setTimeout(() => closing.abort(), deps.closeGraceMs ?? CLOSE_GRACE_MS);
      await loop.stop();
      clearTimeout(grace);
    },
  };
}

// Helpers

/** A later attempt, unless the email is too old; then the original verdict. */
function laterThan({ tries, createdAt }: QueuedEmail, found: EmailVerdict, now: number): EmailVerdict {
  const again = nextTryAt({ tries, createdAt, now });
  return again === null
    ? found
    : { state: 'queued', nextTryAt: again, reason: 'bounced, and its actor could not be notified' };
}

function verdictOn({ tries, createdAt }: QueuedEmail, result: SendResult, now: number): EmailVerdict {
  if (result.kind === 'sent') return { state: 'sent' };
  const { reason } = result;
  if (result.kind !== 'later') return { state: 'failed', because: result.kind, reason };
  const again = nextTryAt({ tries, createdAt, now });
  return again === null
    ? { state: 'failed', because: 'gave_up', reason }
    : { state: 'queued', nextTryAt: again, reason };
}

function observed(verdict: EmailVerdict): Parameters<MailObserver['tried']>[0] {
  if (verdict.state === 'failed') return verdict.because;
  return verdict.state === 'sent' ? 'sent' : 'later';
}

import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import { type Database, together, whileDatabaseAnswers } from '../db/index.ts';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import type { SendResult } from './classify.ts';
import { keepUnsent, type MailVerdict, type QueuedMail, settleMail, takeDueMails } from './mail-queue.ts';
import { nextTryAt } from './retry-schedule.ts';
import { type MailTransport, SEND_TIMEOUT_MS } from './smtp-transport.ts';
import type { TellActor } from './tell-actor.ts';

export interface MailWorkerDeps {
  readonly db: Kysely<Database>;
  /** Null without a mail server: mails are kept, not sent. */
  readonly transport: MailTransport | null;
  readonly clock: Clock;
  readonly log: Log;
  /** Tells the actor of a mail that there is no such mailbox. Without it bounces are only written down. */
  readonly tellActor?: TellActor;
  readonly pollEveryMs?: number;
  /** Pause after finding the mail server away. */
  readonly awayPauseMs?: number;
  readonly closeGraceMs?: number;
  readonly observer?: MailObserver | undefined;
}

/** Told of every try. Quick, and it must not throw. */
export interface MailObserver {
  /** `later` stands for a mail that is tried again. */
  tried(outcome: 'sent' | 'later' | 'bounced' | 'refused' | 'gave_up'): void;
}

export interface MailWorker {
  start(): void;
  /** Gives mails that are being sent a moment to end. What is cut off is sent again when its lease ends. */
  stop(): Promise<void>;
}

const POLL_EVERY_MS = 2_000;
const AWAY_PAUSE_MS = 30_000;
const CLOSE_GRACE_MS = 5_000;
/** Mails, and so connections to the mail server, at the same time. */
const MAILS_AT_ONCE = 4;
/** Longer than a try can last, so that a mail has two senders only when one of them died or slept. */
const LEASE_MS = SEND_TIMEOUT_MS + 60_000;

/**
 * Sends what commits have written into the table `mail`. The table itself is the queue, not the bus: a mail may have to wait for
 * two days, and there it waits without holding a place, survives the loss of the bus, and can be looked at. Any number of
 * processes may run one.
 *
 * A mail is sent **at least once**. A worker that dies between the server's yes and the commit of `sent` leaves a mail that is sent
 * again when its lease ends, with the same Message-ID. SMTP gives no way to ask whether the first was taken, so such a mail is
 * counted (`uncertain_tries`) and logged, and sent.
 */
export function createMailWorker(deps: MailWorkerDeps): MailWorker {
  const { db, transport, clock, log } = deps;
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | null = null;
  let isStopped = false;
  let isServerAway = false;
  let isDatabaseAway = false;

  /** Whether the server can be asked for more right away. */
  async function sendDue(to: MailTransport): Promise<boolean> {
    for (;;) {
      const lease = { now: clock.now(), leaseMs: LEASE_MS, limit: MAILS_AT_ONCE };
      const mails = isStopped ? [] : await takeDueMails(db, lease);
      if (mails.length === 0) return true;
      for (const mail of mails) tellUncertain(mail);
      const isUp = await together(mails.map((mail) => sendOne(to, mail)));
      if (isUp.includes(false)) return false;
    }
  }

  /** False when the server is away. */
  async function sendOne(to: MailTransport, mail: QueuedMail): Promise<boolean> {
    if (isStopped) {
      // Nothing was sent, so the next worker need not wait for the end of the lease, nor wonder.
      const now = clock.now();
      await settleMail(
        db,
        mail,
        { state: 'queued', nextTryAt: now, reason: 'the service stopped before sending' },
        now,
      );
      return true;
    }
    let result: SendResult;
    try {
      result = await to.send(mail, closing.signal);
    } catch (error) {
      // Cut off by the end of the process: only the end of the lease can say what to do with it.
      if (closing.signal.aborted) return false;
      throw error;
    }
    noteServer(result);
    const found = verdictOn(mail, result, clock.now());
    const verdict = (await bounceIsTold(mail, result)) ? found : laterThan(mail, found, clock.now());
    if (await whileDatabaseAnswers(() => settleMail(db, mail, verdict, clock.now()))) tell(mail, verdict);
    return !(result.kind === 'later' && result.isServerAway);
  }

  /**
   * Tells the actor of a mail that bounced, before that is written down: a crash in between repeats the try, which bounces again
   * and tells the actor what it knows. False when it could not be told.
   */
  async function bounceIsTold({ id: mailId, actorId }: QueuedMail, result: SendResult): Promise<boolean> {
    if (result.kind !== 'bounced' || actorId === null) return true;
    try {
      await deps.tellActor?.(actorId, mailId);
      return true;
    } catch (error) {
      log.error({ mailId, actorId, reason: messageOf(error) }, 'a bounce could not be told; trying the mail again');
      return false;
    }
  }

  /** One line when the server goes and one when it is back, however many mails are concerned. */
  function noteServer(result: SendResult): void {
    const isAway = result.kind === 'later' && result.isServerAway;
    if (isAway && !isServerAway) log.error({ reason: result.reason }, 'the mail server takes nothing; mails wait');
    if (!isAway && isServerAway) log.info('the mail server takes mails again');
    isServerAway = isAway;
  }

  function tellUncertain({ id: mailId, uncertainTries, isUncertain }: QueuedMail): void {
    if (isUncertain)
      log.warn({ mailId, uncertainTries }, 'nobody knows whether this mail was sent; sending it, perhaps again');
  }

  function tell({ id: mailId, tries }: QueuedMail, verdict: MailVerdict): void {
    deps.observer?.tried(observed(verdict));
    if (verdict.state === 'sent') log.debug({ mailId, tries }, 'mail sent');
    else if (verdict.state === 'queued') log.debug({ mailId, tries, reason: verdict.reason }, 'mail not sent yet');
    else log.warn({ mailId, tries, because: verdict.because, reason: verdict.reason }, 'mail failed');
  }

  async function work(): Promise<void> {
    let pauseMs = deps.pollEveryMs ?? POLL_EVERY_MS;
    try {
      if (transport === null) await keepUnsent(db, clock.now());
      else if (!(await sendDue(transport))) pauseMs = deps.awayPauseMs ?? AWAY_PAUSE_MS;
      isDatabaseAway = false;
    } catch (error) {
      if (!isDatabaseAway) log.error({ reason: messageOf(error) }, 'mails cannot be sent; trying again');
      isDatabaseAway = true;
    }
    schedule(pauseMs);
  }

  function schedule(delayMs: number): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      round = work();
    }, delayMs);
  }

  return {
    start: () => schedule(0),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      const grace = setTimeout(() => closing.abort(), deps.closeGraceMs ?? CLOSE_GRACE_MS);
      await round;
      clearTimeout(grace);
    },
  };
}

// Helpers

/** The same a while later, as long as the mail is tried at all. */
function laterThan({ tries, createdAt }: QueuedMail, found: MailVerdict, now: number): MailVerdict {
  const again = nextTryAt({ tries, createdAt, now });
  return again === null
    ? found
    : { state: 'queued', nextTryAt: again, reason: 'bounced, and its actor could not be told' };
}

function verdictOn({ tries, createdAt }: QueuedMail, result: SendResult, now: number): MailVerdict {
  if (result.kind === 'sent') return { state: 'sent' };
  const { reason } = result;
  if (result.kind !== 'later') return { state: 'failed', because: result.kind, reason };
  const again = nextTryAt({ tries, createdAt, now });
  return again === null
    ? { state: 'failed', because: 'gave_up', reason }
    : { state: 'queued', nextTryAt: again, reason };
}

function observed(verdict: MailVerdict): Parameters<MailObserver['tried']>[0] {
  if (verdict.state === 'failed') return verdict.because;
  return verdict.state === 'sent' ? 'sent' : 'later';
}

import type { UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type RequestContext, runInContext } from '../../platform/request-context.ts';
import type { SendMessage } from '../send-message.ts';
import type { SenderObserver } from './observer.ts';
import { type DeferralReason, type ReportDeps, reportDeferral } from './report.ts';

/** Defers attempts: nothing is sent, and their deliveries try again later. */
export interface Deferrals<Job extends DeferrableJob> {
  /** Resolves when the deferral is committed. */
  defer(job: Job, until: UnixMs, reason: DeferralReason): Promise<void>;
  /** Defers a job whose endpoint is held back. Returns whether it was deferred. */
  deferHeldBack(job: Job): Promise<boolean>;
  /**
   * The same for many jobs. Those whose endpoint has recovered in the meantime are admitted. Ends
   * early when the sender stops.
   */
  deferAllHeldBack(jobs: readonly Job[]): Promise<void>;
  /**
   * The sender stops: defers waiting jobs to now, for at most `withinMs`. They would be requested
   * again after five minutes; deferred to now, another process receives them immediately.
   */
  deferWaiting(jobs: readonly Job[], withinMs: number): Promise<void>;
  /** Runs deferrals that the caller does not await; `settled` does. */
  inBackground(deferring: Promise<void>): void;
  /** Resolves when no deferral is running in the background. */
  settled(): Promise<void>;
}

export interface DeferrableJob {
  readonly message: SendMessage;
  /** Request context of the message: jobs are deferred from the contexts of other jobs. */
  readonly context: RequestContext | null;
}

export interface DeferralsDeps<Job> extends Pick<ReportDeps, 'engine'> {
  readonly clock: Clock;
  readonly observer?: SenderObserver | undefined;
  /** Until when the endpoint of a job is held back; null when the job may be sent. */
  readonly heldBackUntil: (job: Job) => Promise<UnixMs | null>;
  readonly admit: (job: Job) => Promise<void>;
  /** Called with an error that no caller awaits. */
  readonly onBackgroundFailure: (error: unknown) => void;
}

/** Deferrals reported together: about as many as the engine commits in one transaction. */
const DEFERRALS_AT_ONCE = 500;

export function createDeferrals<Job extends DeferrableJob>(deps: DeferralsDeps<Job>): Deferrals<Job> {
  const running = new Set<Promise<void>>();
  let isStopping = false;

  function defer({ message, context }: Job, until: UnixMs, reason: DeferralReason): Promise<void> {
    deps.observer?.deferred();
    return runInContext(context, () => reportDeferral(deps, message, { until, reason }));
  }

  async function deferHeldBack(job: Job): Promise<boolean> {
    const until = await deps.heldBackUntil(job);
    if (until !== null) await defer(job, until, 'held_back');
    return until !== null;
  }

  return {
    defer,
    deferHeldBack,

    async deferAllHeldBack(jobs) {
      for (let from = 0; from < jobs.length && !isStopping; from += DEFERRALS_AT_ONCE) {
        await Promise.all(
          jobs.slice(from, from + DEFERRALS_AT_ONCE).map(async (job) => {
            if (!(await deferHeldBack(job))) deps.admit(job).catch(deps.onBackgroundFailure);
          }),
        );
      }
    },

    async deferWaiting(jobs, withinMs) {
      isStopping = true;
      const giveUpAt = performance.now() + withinMs;
      for (let from = 0; from < jobs.length && performance.now() < giveUpAt; from += DEFERRALS_AT_ONCE) {
        const until = deps.clock.now();
        await Promise.all(jobs.slice(from, from + DEFERRALS_AT_ONCE).map((job) => defer(job, until, 'stopping')));
      }
    },

    inBackground(deferring) {
      const deferred = deferring.catch(deps.onBackgroundFailure);
      running.add(deferred);
      void deferred.then(() => running.delete(deferred));
    },

    settled: async () => void (await Promise.all(running)),
  };
}

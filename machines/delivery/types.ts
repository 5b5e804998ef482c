import type { UnixMs } from '../vocabulary/time.ts';

/** One webhook event being delivered to one endpoint. Plain JSON. */
export interface DeliveryContext extends DeliveryTerms {
  /** Number of the current or last attempt; 0 before the first. */
  readonly attempt: number;
  /** Attempts that count toward the schedule: those of this actor, without probes. */
  readonly made: number;
  readonly lastFailure: AttemptFailure | null;
  /** When the only running timer is due; null at the end. */
  readonly timerDueAt: UnixMs | null;
  readonly endedAt: UnixMs | null;
}

export interface DeliveryTerms {
  readonly deliveryId: string;
  readonly endpointId: string;
  /** Id of the stored webhook event whose exact bytes are sent. */
  readonly webhookEventId: string;
  readonly createdAt: UnixMs;
  /** Attempts made by earlier deliveries of the same event to the same endpoint. */
  readonly earlierAttempts: number;
  /** A user awaits the first attempt, so it is made even while the endpoint is backed off. */
  readonly isRequested?: boolean;
  /**
   * Since when a sender has had the first attempt, if before the start: the start requests none,
   * and the schedule counts from then.
   */
  readonly owedSince?: UnixMs;
  /** Status of the 2xx response to that attempt. */
  readonly deliveredStatus?: number;
}

export interface AttemptFailure {
  readonly kind:
    | 'status'
    | 'redirect'
    | 'timeout'
    | 'connection'
    | 'tls'
    | 'dns'
    | 'blocked'
    | 'secret_unreadable'
    | 'endpoint_gone'
    | 'held_back';
  /** HTTP status of the response; null when there was none. */
  readonly status: number | null;
  readonly detail: string;
}

export type DeliveryEvent =
  | {
      readonly type: 'sender.attempt_succeeded';
      readonly at: UnixMs;
      readonly attempt: number;
      readonly status: number;
    }
  | {
      readonly type: 'sender.attempt_failed';
      readonly at: UnixMs;
      readonly attempt: number;
      readonly failure: AttemptFailure;
      /** Uniform in [-1, 1], drawn by the sender, because charts have no randomness. */
      readonly jitter: number;
      /** `Retry-After` of the response in ms. */
      readonly retryAfterMs?: number | null;
    }
  /** A probe of a failing endpoint, sent ahead of schedule: it does not count as an attempt. */
  | {
      readonly type: 'sender.probe_failed';
      readonly at: UnixMs;
      readonly attempt: number;
      readonly failure: AttemptFailure;
      /** When the endpoint may be tried again. */
      readonly until: UnixMs;
    }
  /** The endpoint keeps failing, so nothing was sent. */
  | {
      readonly type: 'sender.attempt_deferred';
      readonly at: UnixMs;
      readonly attempt: number;
      readonly failure: AttemptFailure;
      readonly until: UnixMs;
    }
  | { readonly type: 'merchant.redelivery_requested'; readonly at: UnixMs }
  | { readonly type: 'timer.retry_due'; readonly at: UnixMs; readonly dueAt: UnixMs }
  | { readonly type: 'timer.answer_overdue'; readonly at: UnixMs; readonly dueAt: UnixMs };

export interface DeliveryEffects {
  /** Sends the stored bytes now. A requested or overdue attempt ignores the endpoint's back-off. */
  sendAttempt: { attempt: number; isRequested: boolean; isOverdue?: true };
  startTimer: { timer: DeliveryTimer; dueAt: UnixMs; gated: false };
  cancelTimer: { timer: DeliveryTimer };
}

export type DeliveryTimer = 'retry_due' | 'answer_overdue';

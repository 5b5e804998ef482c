import type { UnixMs } from '../vocabulary/time.ts';

/** One webhook event on its way to one endpoint. Plain JSON. */
export interface DeliveryContext extends DeliveryTerms {
  /** Number of the attempt under way or last made; 0 before the first. */
  readonly attempt: number;
  /** Attempts made by this actor, which the schedule counts; `attempt` goes on after a redelivery. */
  readonly made: number;
  readonly lastFailure: AttemptFailure | null;
  /** When the one running timer is due; null at the end. */
  readonly timerDueAt: UnixMs | null;
  readonly endedAt: UnixMs | null;
}

export interface DeliveryTerms {
  readonly deliveryId: string;
  readonly endpointId: string;
  /** Id of the stored webhook event whose exact bytes are sent. */
  readonly webhookEventId: string;
  readonly createdAt: UnixMs;
  /** Attempts earlier deliveries of the same event to the same endpoint have made. */
  readonly earlierAttempts: number;
}

export interface AttemptFailure {
  readonly kind: 'status' | 'redirect' | 'timeout' | 'connection' | 'tls' | 'dns' | 'blocked' | 'endpoint_gone';
  /** HTTP status of the answer; null when there was none. */
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
    }
  | { readonly type: 'timer.retry_due'; readonly at: UnixMs; readonly dueAt: UnixMs }
  | { readonly type: 'timer.answer_overdue'; readonly at: UnixMs; readonly dueAt: UnixMs };

export interface DeliveryEffects {
  /** Send the stored bytes now, as this attempt. */
  sendAttempt: { attempt: number };
  startTimer: { timer: DeliveryTimer; dueAt: UnixMs; gated: false };
  cancelTimer: { timer: DeliveryTimer };
}

export type DeliveryTimer = 'retry_due' | 'answer_overdue';

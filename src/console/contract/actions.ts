/** Audited actions of operators. */

export type OperatorActionKind =
  | 'event.sent'
  | 'events.planned'
  | 'dead_letter.retried'
  | 'dead_letter.dismissed'
  | 'dead_letters.retry_planned'
  | 'run.started'
  | 'run.paused'
  | 'run.cancelled'
  | 'plan.changed'
  | 'merchant.plan_assigned'
  | 'merchant.approved'
  | 'secrets.resealed'
  | 'network.rescanned'
  | 'restore.finished'
  | 'actors.migrated';

export interface ActionInfo {
  readonly requestId: string;
  /** Current e-mail; null for a deleted user. */
  readonly who: { readonly userId: string; readonly email: string | null };
  readonly what: OperatorActionKind;
  /** Id of the actor, dead letter, run or merchant, or the tier of the plan. */
  readonly subjectId: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly askedAt: number;
  /** Null while the outcome is unknown. */
  readonly outcome: string | null;
}

/** GET `actions?who=&cursor=`, newest first; `who` is a user id or an e-mail. */
export interface ActionPage {
  readonly actions: readonly ActionInfo[];
  /** Cursor of the next page; null on the last. */
  readonly cursor: string | null;
}

/** What those who run the service have done with it. */

export type Deed =
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
  /** E-mail as it is now; null for a login there no longer is. */
  readonly who: { readonly userId: string; readonly email: string | null };
  readonly what: Deed;
  /** Id of the actor, dead letter, run or merchant, or the tier of the plan. */
  readonly subjectId: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly askedAt: number;
  /** Null while it is not known how it ended. */
  readonly outcome: string | null;
}

/** GET `actions?who=&cursor=`, newest first; `who` is a user id or an e-mail. */
export interface ActionPage {
  readonly actions: readonly ActionInfo[];
  /** Of the next page; null on the last. */
  readonly cursor: string | null;
}

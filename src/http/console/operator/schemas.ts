import { type Static, Type } from 'typebox';
import type { FullEmail, ListedEmail } from '../../../mail/index.ts';
import {
  type ActorIssue,
  type SystemHealth as FeatureHealth,
  MAX_ACTIONS_PER_PAGE,
  MAX_ACTORS_PER_PAGE,
  MAX_DEAD_LETTERS_PER_PAGE,
  MAX_STEPS_PER_PAGE,
  type SetupGap,
} from '../../../operations/index.ts';
import { Mode } from '../merchant/schemas.ts';
import { AnyObject, filters, oneOf, refined, text, whole } from '../schema.ts';

/** Actors, runs, dead letters and emails: the requests, and the types of the responses. */

export type {
  AcceptedEvent,
  ActionPage,
  ActorDetail,
  ActorFilter,
  ActorPage,
  CoinUnit,
  DeadLetterInfo,
  DeadLetterPage,
  EventPreview,
  EventRequest,
  JournalPage,
  JournalStep,
  ListedAction,
  ListedActor,
  LiveChange,
  NextTimer,
  OfflineJournal,
  Run,
  SentEvent,
  SetupGap,
  StepDetail,
  TimerInfo,
} from '../../../operations/index.ts';

/** An id, a name or a cursor. */
export const Text = text(200);
const MAX_SAFE = Number.MAX_SAFE_INTEGER;
export const MAX_EMAILS_PER_PAGE = 100;
/** A hundred years. */
const MAX_RESTING_MS = 3_155_760_000_000;

/** The feature checks length and characters. */
const reasonProblem = 'is missing: enter a reason';
export const Reason = refined(Type.String({ errorMessage: reasonProblem }), (reason) => reason !== '', reasonProblem);

export const RequestId = Type.String({
  pattern: '^[A-Za-z0-9_-]{8,100}$',
  errorMessage: 'must be 8 to 100 letters, digits, - and _, generated for this request',
});

export function page(maxItems: number) {
  return { cursor: Type.Optional(Text), limit: Type.Optional(whole(1, maxItems)) };
}

const ACTOR_FILTER = {
  kind: Text,
  state: Type.Optional(Text),
  merchantId: Type.Optional(Text),
  restingMs: Type.Optional(whole(0, MAX_RESTING_MS)),
  search: Type.Optional(Text),
  isOverdue: Type.Optional(Type.Boolean()),
  isLate: Type.Optional(Type.Boolean()),
  hasTimer: Type.Optional(Type.Boolean()),
  hasFailed: Type.Optional(Type.Boolean()),
  isRetrying: Type.Optional(Type.Boolean()),
  mode: Type.Optional(Mode),
};

export const KindParams = Type.Object({ kind: Text });
export const PopulationQuery = filters({ kind: Text });
/** States with one arrow between each two, or with their events and guards as well. */
export const LayoutQuery = filters({ detail: Type.Optional(oneOf(['states', 'events'])) });
export const ActorsQuery = filters({ ...ACTOR_FILTER, ...page(MAX_ACTORS_PER_PAGE) });
/** Oldest first, after a step. */
export const JournalQuery = filters({
  after: Type.Optional(whole(0, MAX_SAFE)),
  limit: Type.Optional(whole(1, MAX_STEPS_PER_PAGE)),
});
export const StepParams = Type.Object({ id: text(100), sequence: whole(0, MAX_SAFE) });
export const ExportQuery = filters({ format: Type.Optional(oneOf(['json', 'test'])) });

const SeenSequence = Type.Integer({
  minimum: 0,
  maximum: MAX_SAFE,
  errorMessage: 'must be the number of the step that was displayed',
});

export const EventBody = Type.Object({
  type: Text,
  fields: Type.Optional(AnyObject),
  seenSequence: SeenSequence,
  reason: Reason,
  requestId: RequestId,
});

/** A preview needs no reason and no request id. */
export const PreviewBody = Type.Object({
  type: Text,
  fields: Type.Optional(AnyObject),
  reason: Type.Optional(Type.String({ errorMessage: 'must be text' })),
  seenSequence: Type.Optional(SeenSequence),
  requestId: Type.Optional(RequestId),
});

/** Oldest first; `reason` matches a substring. */
export const DeadLettersQuery = filters({
  queue: Type.Optional(Text),
  reason: Type.Optional(Text),
  actorId: Type.Optional(Text),
  ...page(MAX_DEAD_LETTERS_PER_PAGE),
});

export const AlertParams = Type.Object({ id: whole(1, Number.MAX_SAFE_INTEGER) });

/** An action without further fields. */
export const ReasonBody = Type.Object({ reason: Reason, requestId: RequestId });
export type ReasonBody = Static<typeof ReasonBody>;

const RunTaskBody = Type.Union(
  [
    Type.Object(
      { what: Type.Literal('send_event'), type: Text, fields: Type.Optional(AnyObject) },
      { additionalProperties: false },
    ),
    Type.Object(
      { what: Type.Literal('retry_dead_letter'), queue: Type.Optional(Text) },
      { additionalProperties: false },
    ),
  ],
  { errorMessage: 'must be {"what": "send_event", "type", "fields"} or {"what": "retry_dead_letter", "queue"}' },
);

/**
 * Plans a run and stores what it would do, and to which items. `filter` is for events. Without a
 * request id every request creates a new run.
 */
export const RunBody = Type.Object({
  task: RunTaskBody,
  filter: Type.Optional(Type.Object(ACTOR_FILTER)),
  reason: Reason,
  requestId: Type.Optional(RequestId),
});
export type RunBody = Static<typeof RunBody>;

export interface SystemHealth extends FeatureHealth {
  /** Actors that an operator should check, by the filter that lists exactly these. */
  readonly issues: readonly ActorIssue[];
  /** What the installation still needs, in the order to provide it. */
  readonly missing: readonly SetupGap[];
}

export const EmailsQuery = filters(page(MAX_EMAILS_PER_PAGE));

/** An email that was stored and never sent. */
export interface StoredEmailInfo extends Pick<ListedEmail, 'id' | 'recipient' | 'fromName' | 'subject'> {
  readonly at: number;
}

export interface StoredEmail extends StoredEmailInfo {
  /**
   * Null for emails to users: their links give access to accounts, which operators must not have.
   */
  readonly text: FullEmail['text'] | null;
}

export interface StoredEmailPage {
  readonly mails: readonly StoredEmailInfo[];
  readonly cursor: string | null;
}

/** Newest first; `who` is a user id or an email. */
export const ActionsQuery = filters({ who: Type.Optional(Text), ...page(MAX_ACTIONS_PER_PAGE) });

/** Actors, their journals, and events sent to them: what the operator routes exchange. */

export type {
  AcceptedEvent,
  ActorDetail,
  ActorFilter,
  ActorPage,
  ActorRow,
  /** The coin of an actor's amounts. */
  CoinUnit,
  EventPreview,
  EventRequest,
  /** GET `actors/:id/journal?after=`, oldest first. */
  JournalPage,
  JournalStep,
  /** Sent as server-sent events by `/console/api/live`; ids allow resuming with Last-Event-ID. */
  LiveChange,
  /** GET `timers`: those due next over all actors, late ones first. */
  NextTimer,
  /** Response of POST `journals/read` with an exported journal, which is not stored. */
  OfflineJournal,
  PastMoment,
  /** Response of POST `actors/:id/events`. */
  SentEvent,
  TimerInfo,
} from '../../operations/index.ts';

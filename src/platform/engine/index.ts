/** The engine: durable actors stored as rows. It knows charts, not payments. */

export type { ArchiveCrashPoint } from './archive.ts';
export { ARCHIVE_CRASH_POINTS, archiveDone } from './archive.ts';
export { createBusHandler, isEventCommand } from './bus-handler.ts';
export { actorQueue } from './consequences.ts';
export type { Crash, CrashPoint } from './crash-points.ts';
export { CRASH_POINTS } from './crash-points.ts';
export { defineKind } from './define-kind.ts';
export type { ChartDescription, StateDescription, TransitionDescription } from './describe-chart.ts';
export { describeChart } from './describe-chart.ts';
export { durabilityProblems } from './durability.ts';
export type { Engine } from './engine.ts';
export { createEngine } from './engine.ts';
export type { EngineLoad, EngineObserver, ObservedBatch, RelayObserver, TimerObserver } from './observer.ts';
export type { Preview, RestingActor } from './preview.ts';
export { findRestingActor, previewEvent } from './preview.ts';
export type { ObservationCommand, ObservationMessage } from './publish-observations.ts';
export { createObservationRedelivery, findPendingObservations, publishObservations } from './publish-observations.ts';
export type { Relay } from './relay.ts';
export { createRelay } from './relay.ts';
export { readWithJournal, replay } from './replay.ts';
export { findActorRow } from './sql/actors.ts';
export { currentStateOf, readClockOffset, storedActors } from './sql/archive.ts';
export { insertDeadLetters, MAX_DEAD_LETTER_RETRIES } from './sql/dead-letters.ts';
export { dueTimersOf } from './sql/due-timers-of.ts';
export { findEntry, readJournal } from './sql/journal.ts';
export { leaseDueTimers } from './sql/lease-timers.ts';
export { deletePendingObservations } from './sql/pending-observations.ts';
export { planByIndex } from './sql/plan.ts';
export { MAX_CLOCK_OFFSET_MS, shiftClock } from './sql/timers.ts';
export { deleteWatermarks, saveWatermark } from './sql/watermarks.ts';
export type { TracedStep } from './step-tracer.ts';
export { createStepTracer } from './step-tracer.ts';
export type { JournalEntry } from './stored-types.ts';
export type { TimerService } from './timer-service.ts';
export { createTimerService, timerCommand } from './timer-service.ts';
export type {
  ActorEvent,
  ActorKind,
  Consequence,
  EventCommand,
  EventOutcome,
  Hint,
  OutgoingMessage,
  PreparedInput,
  StartCommand,
  StartDraft,
  Step,
} from './types.ts';
export { countVersions } from './versions/count-versions.ts';
export type { KindRegistry } from './versions/kind-registry.ts';
export { createKindRegistry } from './versions/kind-registry.ts';
export type { DryRun, Migration } from './versions/migrate-actors.ts';
export { dryRunOf, moveActors, requireVersions } from './versions/migrate-actors.ts';
export { migratedSnapshotOf } from './versions/migrated.ts';
export { restoreSnapshot } from './versions/restore-snapshot.ts';

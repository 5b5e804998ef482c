/** The engine: durable actors stored as rows. It knows charts, not payments. */

export { ARCHIVE_CRASH_POINTS, type ArchiveCrashPoint, archiveDone } from './archive.ts';
export { createBusHandler, isEventCommand } from './bus-handler.ts';
export { actorQueue } from './consequences.ts';
export { CRASH_POINTS, type Crash, type CrashPoint } from './crash-points.ts';
export { defineKind } from './define-kind.ts';
export {
  type ChartDescription,
  describeChart,
  type StateDescription,
  type TransitionDescription,
} from './describe-chart.ts';
export { durabilityProblems } from './durability.ts';
export { createEngine, type Engine } from './engine.ts';
export type { EngineLoad, EngineObserver, ObservedBatch, RelayObserver, TimerObserver } from './observer.ts';
export { findRestingActor, type Preview, previewEvent, type RestingActor } from './preview.ts';
export {
  createObservationRedelivery,
  findPendingObservations,
  type ObservationCommand,
  type ObservationMessage,
  publishObservations,
} from './publish-observations.ts';
export { createRelay, type Relay } from './relay.ts';
export { readWithJournal, replay } from './replay.ts';
export { findActorRow } from './sql/actors.ts';
export { currentStateOf, readClockOffset, storedActors } from './sql/archive.ts';
export { insertDeadLetters, MAX_DEAD_LETTER_RETRIES } from './sql/dead-letters.ts';
export { findEntry, readJournal } from './sql/journal.ts';
export { leaseDueTimers } from './sql/lease-due-timers.ts';
export { deletePendingObservations } from './sql/pending-observations.ts';
export { planByIndex } from './sql/plan.ts';
export { dueTimersOf, MAX_CLOCK_OFFSET_MS, shiftClock } from './sql/timers.ts';
export { deleteWatermarks, saveWatermark } from './sql/watermarks.ts';
export { createStepTracer, type TracedStep } from './step-tracer.ts';
export type { JournalEntry } from './stored-types.ts';
export { createTimerService, type TimerService, timerCommand } from './timer-service.ts';
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
export { createKindRegistry, type KindRegistry } from './versions/kind-registry.ts';
export { type DryRun, dryRunOf, type Migration, moveActors, requireVersions } from './versions/migrate-actors.ts';
export { migratedSnapshotOf } from './versions/migrated.ts';
export { restoreSnapshot } from './versions/restore-snapshot.ts';

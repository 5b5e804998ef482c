/** Public interface of operations: what operators can see of actors, and what they can do. */

export type { ChartDescription, StateDescription, TransitionDescription } from '../platform/engine/index.ts';
export type { OperatorActionKind } from './actions/action-log.ts';
export { beginAction, settleAction } from './actions/action-log.ts';
export { changePlanAsOperator, listAllPlans } from './actions/change-plan.ts';
export type { ActionPage, ListedAction } from './actions/list-actions.ts';
export { listActions, MAX_ACTIONS_PER_PAGE } from './actions/list-actions.ts';
export { previewOperatorEvent } from './actions/preview-event.ts';
export type { SendDeps, SentEvent } from './actions/send-event.ts';
export { sendOperatorEvent } from './actions/send-event.ts';
export { readActorIssues } from './actors/actor-issues.ts';
export type { ChartVersion, MigrationPreview } from './actors/chart-versions.ts';
export { listChartVersions, migrateAsOperator, previewMigration } from './actors/chart-versions.ts';
export { listCharts } from './actors/charts.ts';
export { getActor } from './actors/get-actor.ts';
export { listActors, MAX_ACTORS_PER_PAGE } from './actors/list-actors.ts';
export type { OperationsDeps, Population } from './actors/population.ts';
export { readPopulation } from './actors/population.ts';
export type { Throughput } from './actors/throughput.ts';
export { readThroughput } from './actors/throughput.ts';
export { createDeadLetterWorker } from './dead-letters/dead-letter-worker.ts';
export type { DeadLetterDeps, DeadLetterPage } from './dead-letters/dead-letters.ts';
export { listDeadLetters, MAX_DEAD_LETTERS_PER_PAGE } from './dead-letters/dead-letters.ts';
export { resolveDeadLetter } from './dead-letters/resolve-dead-letter.ts';
export type { HealthDeps, SystemHealth } from './health/health.ts';
export { readHealth } from './health/health.ts';
export type { InstallationFigures } from './health/installation-figures.ts';
export { readInstallationFigures } from './health/installation-figures.ts';
export { listNextTimers } from './health/next-timers.ts';
export { resolveAlert } from './health/resolve-alert.ts';
export type { SetupGap, SetupGapsDeps } from './health/setup-gaps.ts';
export { listSetupGaps } from './health/setup-gaps.ts';
export type { JournalPage } from './journal/journal.ts';
export { MAX_STEPS_PER_PAGE, readJournalPage } from './journal/journal.ts';
export type { OfflineJournal } from './journal/journal-file.ts';
export { exportJournal, importJournal } from './journal/journal-file.ts';
export { regressionTestOf } from './journal/regression-test.ts';
export { readStepDetail } from './journal/step-details.ts';
export type { LiveChange } from './live/live-changes.ts';
export type { LiveFeed, LiveListener } from './live/live-feed.ts';
export { createLiveFeed, MAX_LISTENERS_OF_MERCHANT } from './live/live-feed.ts';
export { approveAsOperator } from './merchants/approve.ts';
export { getMerchant, type MerchantDetail } from './merchants/get-merchant.ts';
export { giveMerchantPlan } from './merchants/give-plan.ts';
export type { ListedMerchant, MerchantPage } from './merchants/list-merchants.ts';
export { listMerchants, MAX_MERCHANTS_PER_PAGE } from './merchants/list-merchants.ts';
export { removeImage } from './merchants/remove-image.ts';
export { moveRunAsOperator } from './runs/move-run-as-operator.ts';
export type { RunPlan } from './runs/plan-run.ts';
export { planRun } from './runs/plan-run.ts';
export type { Run, RunMove } from './runs/run.ts';
export { getRun, listRuns, moveRun } from './runs/run.ts';
export { createRunWorker } from './runs/run-worker.ts';
export { createStorageWorker } from './storage/storage-worker.ts';
export type {
  AcceptedEvent,
  ActorDetail,
  ActorFilter,
  ActorIssue,
  ActorPage,
  CoinUnit,
  DeadLetterInfo,
  EventPreview,
  EventRequest,
  JournalStep,
  ListedActor,
  NextTimer,
  Operator,
  StepDetail,
  TimerInfo,
} from './types.ts';

/** Public interface of operations: what operators can see of actors, and what they can do. */

export type { PlanChangeRequest } from './change-plan.ts';
export { changePlanAsOperator, listAllPlans } from './change-plan.ts';
export { listCharts } from './charts.ts';
export { createDeadLetterWorker } from './dead-letter-worker.ts';
export type { DeadLetterDeps, DeadLetterListRequest, DeadLetterPage } from './dead-letters.ts';
export { listDeadLetters, MAX_LETTERS_PER_PAGE } from './dead-letters.ts';
export { getActor } from './get-actor.ts';
export type { HealthDeps, SystemHealth } from './health.ts';
export { readHealth } from './health.ts';
export type { InstallationFigures } from './installation-figures.ts';
export { readInstallationFigures } from './installation-figures.ts';
export type { JournalPage, JournalRequest } from './journal.ts';
export { MAX_STEPS_PER_PAGE, readJournalPage } from './journal.ts';
export type { JournalFile, OfflineJournal } from './journal-file.ts';
export { exportJournal, importJournal } from './journal-file.ts';
export type { ActionListRequest, ActionPage, ListedAction } from './list-actions.ts';
export { listActions, MAX_ACTIONS_PER_PAGE } from './list-actions.ts';
export type { ActorListRequest } from './list-actors.ts';
export { listActors, MAX_ACTORS_PER_PAGE } from './list-actors.ts';
export type { LiveChange, LivePosition } from './live-changes.ts';
export type { LiveFeed, LiveListener } from './live-feed.ts';
export { createLiveFeed, MAX_LISTENERS_OF_MERCHANT } from './live-feed.ts';
export { type ApproveRequest, approveAsOperator } from './merchants/approve.ts';
export { getMerchant, type MerchantDetail } from './merchants/get-merchant.ts';
export { type GivePlanRequest, giveMerchantPlan } from './merchants/give-plan.ts';
export type { ListedMerchant, MerchantListRequest, MerchantPage } from './merchants/list-merchants.ts';
export { listMerchants, MAX_MERCHANTS_PER_PAGE } from './merchants/list-merchants.ts';
export { readMoment } from './moments.ts';
export type { OperatorActionKind } from './operator-actions.ts';
export { beginAction, settleAction } from './operator-actions.ts';
export { MAX_REASON_CHARACTERS } from './operator-events.ts';
export type { OperationsDeps, Population } from './population.ts';
export { readPopulation } from './population.ts';
export { previewOperatorEvent } from './preview-event.ts';
export { regressionTestOf } from './regression-test.ts';
export type { DeadLetterRequest } from './resolve-dead-letter.ts';
export { resolveDeadLetter } from './resolve-dead-letter.ts';
export { moveRunAsOperator } from './runs/move-run-as-operator.ts';
export type { RunPlan } from './runs/plan-run.ts';
export { planRun } from './runs/plan-run.ts';
export type { Run, RunMove, RunTask } from './runs/run.ts';
export { getRun, listRuns, moveRun } from './runs/run.ts';
export type { RunWorker } from './runs/run-worker.ts';
export { createRunWorker } from './runs/run-worker.ts';
export type { SendDeps, SentEvent } from './send-event.ts';
export { sendOperatorEvent } from './send-event.ts';
export type { Installation, SetupGap, SetupGapsDeps } from './setup-gaps.ts';
export { listSetupGaps } from './setup-gaps.ts';
export type { StorageWorker } from './storage/storage-worker.ts';
export { createStorageWorker } from './storage/storage-worker.ts';
export type {
  AcceptedEvent,
  ActorDetail,
  ActorFilter,
  ActorPage,
  ActorRow,
  ChartInfo,
  DeadLetterInfo,
  EventPreview,
  EventRequest,
  JournalStep,
  Operator,
  PastMoment,
  TimerInfo,
} from './types.ts';

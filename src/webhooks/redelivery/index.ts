export { cancelReplay, findNewestReplay, getReplay } from './follow-replay.ts';
export type { ReplayPreview } from './preview-replay.ts';
export { countReplayedEvents, MAX_PREVIEWED_EVENTS, previewReplay } from './preview-replay.ts';
export type { DeliveryOfMerchant, RedeliverDeps, Redelivery } from './redeliver.ts';
export { deliveryNotFound, REDELIVERY_OUTCOMES, redeliver } from './redeliver.ts';
export type { Replay } from './replay.ts';
export { REPLAY_STATES } from './replay.ts';
export { createReplayWorker } from './replay-worker.ts';
export { MAX_REPLAY_DAYS, requestReplay } from './request-replay.ts';

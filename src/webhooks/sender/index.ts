export { type AttemptRecord, insertAttempts } from './attempt-log.ts';
export type { Sender, SenderDeps } from './create-sender.ts';
export { createSender } from './create-sender.ts';
export { SENDER_LIMITS } from './limits.ts';
export type { SenderObserver } from './observer.ts';

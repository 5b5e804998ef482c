export type { Sender, SenderDeps, SenderLimits } from './create-sender.ts';
export { createSender, SENDER_LIMITS } from './create-sender.ts';

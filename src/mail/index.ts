/** Public API of email: written in the commit that causes it, sent by a worker until accepted. */

export type { BounceReport } from './bounce-report.ts';
export type { EmailListRequest, EmailPage, FullEmail, ListedEmail } from './list-emails.ts';
export { EMAIL_STATES, getEmail, getStoredEmail, listEmails, listStoredEmails } from './list-emails.ts';
export { holdEmails } from './mail-queue.ts';
export type { MailObserver } from './mail-worker.ts';
export { createMailWorker } from './mail-worker.ts';
export type { MerchantNotice } from './notify-merchant-users.ts';
export { notifyMerchantUsers, renderNotice, withdrawNotices } from './notify-merchant-users.ts';
export type { BounceDeps, NotifyActor } from './process-bounces.ts';
export { createNotifyActor, processBounces } from './process-bounces.ts';
export type { NewEmail } from './queue-emails.ts';
export { queueEmails, replaceWaitingEmails } from './queue-emails.ts';
export type { Block, EmailBranding, EmailContent, EmailLanguage, RenderedEmail } from './render-email.ts';
export { MAIL_STYLES, paragraph, renderEmail } from './render-email.ts';
export type { MailTransport } from './smtp-transport.ts';
export { createSmtpTransport, tryMailLogin } from './smtp-transport.ts';

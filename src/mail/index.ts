/** Public API of email: written in the commit that causes it, sent by a worker until accepted. */

export type { BounceReport } from './dsn.ts';
export type { FullMail, ListedMail, MailListRequest, MailPage } from './list-emails.ts';
export { getMail, listEmails, MAIL_STATES } from './list-emails.ts';
export { holdEmails } from './mail-queue.ts';
export type { MailObserver } from './mail-worker.ts';
export { createMailWorker } from './mail-worker.ts';
export type { MerchantNotice } from './notify-merchant-users.ts';
export { notifyMerchantUsers, renderNotice, withdrawNotices } from './notify-merchant-users.ts';
export type { NewMail } from './queue-emails.ts';
export { queueEmails, replaceWaitingEmails } from './queue-emails.ts';
export type { Block, MailBranding, MailContent, MailLanguage, RenderedMail } from './render-mail.ts';
export { MAIL_STYLES, paragraph, renderMail } from './render-mail.ts';
export type { MailTransport } from './smtp-transport.ts';
export { createSmtpTransport, tryMailLogin } from './smtp-transport.ts';
export type { BounceDeps, NotifyActor } from './take-bounces.ts';
export { createNotifyActor, getStoredMail, listStoredEmails, takeBounces } from './take-bounces.ts';

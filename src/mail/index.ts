/** The door of mail: written by the commit that causes it, sent by a worker until the server has taken it. */

export type { NewMail } from './insert-mails.ts';
export { insertMails } from './insert-mails.ts';
export type { MailWorker, MailWorkerDeps } from './mail-worker.ts';
export { createMailWorker } from './mail-worker.ts';
export type { Block, Letter, RenderedMail } from './render-mail.ts';
export { renderMail } from './render-mail.ts';
export type { MailTransport } from './smtp-transport.ts';
export { createSmtpTransport } from './smtp-transport.ts';
export type { MerchantNotice } from './tell-merchant.ts';
export { tellMerchant } from './tell-merchant.ts';

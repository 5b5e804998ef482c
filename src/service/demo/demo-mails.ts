import type { Kysely } from 'kysely';
import { getStoredMail, listStoredMails } from '../../mail/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { type DemoInbox, SHOWN_MAILS } from './demo-inbox.ts';

/** Kept emails to customers. Emails to users are excluded before the limit applies. */
export function demoMailsOf(db: Kysely<Database>): DemoInbox {
  return {
    async list(merchantId) {
      const { mails } = await listStoredMails(db, { merchantId, isToCustomer: true, limit: SHOWN_MAILS });
      return mails;
    },
    async get(merchantId, id) {
      const mail = await getStoredMail(db, id);
      return mail?.isToCustomer && mail.merchantId === merchantId ? mail : null;
    },
  };
}

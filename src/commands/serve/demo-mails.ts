import type { Kysely } from 'kysely';
import type { Database } from '../../db/index.ts';
import { getStoredMail, listStoredMails } from '../../mail/index.ts';
import type { Demo } from './demo.ts';
import { type DemoInbox, SHOWN_MAILS } from './demo-inbox.ts';

/** The kept mails of the demo merchant alone. */
export function demoMailsOf(db: Kysely<Database>, demo: Pick<Demo, 'merchantId'>): DemoInbox {
  return {
    async list() {
      const merchantId = demo.merchantId();
      return merchantId === null ? [] : (await listStoredMails(db, { merchantId, limit: SHOWN_MAILS })).mails;
    },
    async get(id) {
      const merchantId = demo.merchantId();
      const mail = merchantId === null ? null : await getStoredMail(db, id);
      return mail?.merchantId === merchantId ? mail : null;
    },
  };
}

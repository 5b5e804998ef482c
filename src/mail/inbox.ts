import type { Kysely } from 'kysely';
import type { Database } from '../db/index.ts';
import { type FullMail, getMail, listMails, type MailListRequest, type MailPage } from './list-mails.ts';

/** A development inbox: the mails that were kept and never sent, newest first. Throws what `listMails` throws. */
export function listStoredMails(db: Kysely<Database>, wanted: Omit<MailListRequest, 'state'>): Promise<MailPage> {
  return listMails(db, { ...wanted, state: 'stored' });
}

/** One of them with what it says; null when there is none of this id, or it goes out. */
export async function getStoredMail(db: Kysely<Database>, mailId: string): Promise<FullMail | null> {
  const mail = await getMail(db, mailId);
  return mail?.state === 'stored' ? mail : null;
}

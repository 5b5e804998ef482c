import type { Kysely } from 'kysely';
import type { Database } from '../db/index.ts';
import { type FullMail, getMail, listMails, type MailListRequest, type MailPage } from './list-mails.ts';

/**
 * Development inbox: emails stored and never sent, newest first. Throws what `listMails` throws.
 */
export function listStoredMails(db: Kysely<Database>, wanted: Omit<MailListRequest, 'state'>): Promise<MailPage> {
  return listMails(db, { ...wanted, state: 'stored' });
}

/** A stored email with its content; null if there is none with this id in state `stored`. */
export async function getStoredMail(db: Kysely<Database>, mailId: string): Promise<FullMail | null> {
  const mail = await getMail(db, mailId);
  return mail?.state === 'stored' ? mail : null;
}

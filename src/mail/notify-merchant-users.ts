import type { Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';
import { insertMails } from './insert-mails.ts';
import { type MailContent, renderMail } from './render-mail.ts';

/** A notice to a merchant, for its dashboard and by email. */
export interface MerchantNotice {
  /** Derived from the content, so that a repeated notice is stored once. */
  readonly id: string;
  readonly merchantId: string;
  readonly kind: string;
  /** Id of the subject. */
  readonly subjectId: string;
  /** Data for the dashboard. Plain JSON. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly content: Pick<MailContent, 'subject' | 'blocks'>;
  readonly at: UnixMs;
}

/** Stores a notice and an email to every user of the merchant, in the commit that causes them. */
export async function notifyMerchantUsers(trx: Transaction<Database>, notice: MerchantNotice): Promise<void> {
  const { id, merchantId, kind, subjectId, data, content, at } = notice;
  await trx
    .insertInto('merchant_notice')
    .values({
      id,
      merchant_id: merchantId,
      kind,
      subject_id: subjectId,
      data: JSON.stringify(data),
      created_at: new Date(at),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const users = await trx
    .selectFrom('merchant_user')
    .innerJoin('merchant', 'merchant.id', 'merchant_user.merchant_id')
    .select(['merchant_user.id', 'merchant_user.email', 'merchant.name'])
    .where('merchant.id', '=', merchantId)
    // Users who have not accepted their invitation, or were disabled, get no email.
    .where('password_hash', 'is not', null)
    .where('disabled_at', 'is', null)
    .orderBy('merchant_user.id')
    .execute();
  await insertMails(
    trx,
    users.map(({ id: userId, email, name }) => ({
      merchantId,
      recipient: email,
      dedupeKey: `${id}:${userId}`,
      createdAt: at,
      ...renderMail({ ...content, to: name, footer: `Sent to all users who can sign in for ${name}.` }),
    })),
  );
}

import type { Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';
import { insertMails, type Letter, renderMail, replaceWaitingMails } from '../mail/index.ts';

export interface OwnersMail {
  readonly merchantId: string;
  /** What it is about, by ids: the owners get one mail about it, however often it is written. */
  readonly about: string;
  readonly letter: Pick<Letter, 'subject' | 'blocks'>;
  /**
   * When it may be sent; until then a later version takes its place. Left out: now, and the first
   * version stays.
   */
  readonly sendAt?: UnixMs;
}

/** Writes a security mail to every owner who can sign in for a merchant. */
export async function mailOwners(
  { trx, now }: { readonly trx: Transaction<Database>; readonly now: UnixMs },
  { merchantId, about, letter, sendAt }: OwnersMail,
): Promise<void> {
  const owners = await trx
    .selectFrom('merchant_user')
    .innerJoin('merchant', 'merchant.id', 'merchant_user.merchant_id')
    .select(['merchant_user.id', 'merchant_user.email', 'merchant.name'])
    .where('merchant.id', '=', merchantId)
    .where('merchant_user.role', '=', 'owner')
    .where('password_hash', 'is not', null)
    .where('disabled_at', 'is', null)
    .orderBy('merchant_user.id')
    .execute();
  const mails = owners.map(({ id, email, name }) => ({
    merchantId,
    recipient: email,
    dedupeKey: `${about}:${id}`,
    createdAt: now,
    ...(sendAt === undefined ? {} : { sendAt }),
    ...renderMail({ ...letter, to: name, footer: `Sent to the owners of ${name}.` }),
  }));
  await (sendAt === undefined ? insertMails(trx, mails) : replaceWaitingMails(trx, mails));
}

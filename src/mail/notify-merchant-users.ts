import type { Selectable, Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import { type NoticeSetting, withDefaults } from '../merchants/index.ts';
import type { Database } from '../platform/db/index.ts';
import { insertMails, type NewMail } from './insert-mails.ts';
import { type MailContent, type RenderedMail, renderMail } from './render-mail.ts';

/** A notice to a merchant, for its dashboard and by email. */
export interface MerchantNotice {
  /** Derived from the content, so that a repeated notice is stored once. */
  readonly id: string;
  readonly merchantId: string;
  readonly kind: string;
  /** The setting of the merchant that switches the email on and off. */
  readonly setting: NoticeSetting;
  readonly subjectId: string;
  /** Data for the dashboard. Plain JSON. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly content: Pick<MailContent, 'subject' | 'blocks'>;
  readonly at: UnixMs;
}

/**
 * Stores notices, and an email of each to every user of its merchant unless the merchant has
 * switched that off, in the commit that causes them. Three statements, however many notices; none
 * for no notice.
 */
export async function notifyMerchantUsers(
  trx: Transaction<Database>,
  notices: readonly MerchantNotice[],
): Promise<void> {
  if (notices.length === 0) return;
  const merchantIds = [...new Set(notices.map(({ merchantId }) => merchantId))];
  const merchants = await trx
    .selectFrom('merchant')
    .select(['id', 'name', 'settings'])
    .where('id', 'in', merchantIds)
    .execute();
  const users = await trx
    .selectFrom('merchant_user')
    .select(['id', 'merchant_id', 'email'])
    .where('merchant_id', 'in', merchantIds)
    // Users who have not accepted their invitation, or were disabled, get no email.
    .where('password_hash', 'is not', null)
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .execute();
  const known = notices.flatMap((notice) => {
    const merchant = merchants.find(({ id }) => id === notice.merchantId);
    return merchant === undefined ? [] : [{ notice, merchant }];
  });
  await insertNotices(
    trx,
    known.map(({ notice }) => notice),
  );
  const mails = known.flatMap(({ notice, merchant }) => {
    if (!withDefaults(merchant.settings)[notice.setting]) return [];
    const recipients = users.filter((user) => user.merchant_id === merchant.id);
    return recipients.map((user) => mailOf(notice, merchant, user));
  });
  await insertMails(trx, mails);
}

/** A notice as the users of the merchant of this name get it. */
export function renderNotice(content: MerchantNotice['content'], merchantName: string): RenderedMail {
  const footer = `Sent to all users who can sign in for ${merchantName}.`;
  return renderMail({ ...content, to: merchantName, footer });
}

// Helpers

async function insertNotices(trx: Transaction<Database>, notices: readonly MerchantNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await trx
    .insertInto('merchant_notice')
    .values(
      notices.map(({ id, merchantId, kind, subjectId, data, at }) => ({
        id,
        merchant_id: merchantId,
        kind,
        subject_id: subjectId,
        data: JSON.stringify(data),
        created_at: new Date(at),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

type Merchant = Pick<Selectable<Database['merchant']>, 'id' | 'name'>;
type User = Pick<Selectable<Database['merchant_user']>, 'id' | 'email'>;

function mailOf({ id, content, at }: MerchantNotice, { id: merchantId, name }: Merchant, user: User): NewMail {
  return {
    merchantId,
    recipient: user.email,
    dedupeKey: `${id}:${user.id}`,
    createdAt: at,
    ...renderNotice(content, name),
  };
}

import { type Selectable, sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import { type NoticeSetting, withDefaults } from '../merchants/index.ts';
import type { Database } from '../platform/db/index.ts';
import { IS_WAITING, type NewEmail, queueEmails, replaceWaitingEmails } from './queue-emails.ts';
import { type EmailContent, type RenderedEmail, renderEmail } from './render-email.ts';

/** A notice by email to the users of a merchant. */
export interface MerchantNotice {
  /** Derived from what it is about: each user gets one email per id. */
  readonly id: string;
  readonly merchantId: string;
  /** The setting of the merchant that switches it on and off. */
  readonly setting: NoticeSetting;
  readonly content: Pick<EmailContent, 'subject' | 'blocks'>;
  readonly at: UnixMs;
  /**
   * Earliest time to send it; until it is sent, a later version replaces it. If omitted, it is sent
   * immediately and the first version is kept.
   */
  readonly sendAt?: UnixMs | undefined;
}

/**
 * Emails each notice to the users of its merchant, unless the merchant has switched it off, in the
 * commit that causes it. At most five statements, however many notices; none for no notice.
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
  const emails = notices.flatMap((notice) => {
    const merchant = merchants.find(({ id }) => id === notice.merchantId);
    if (merchant === undefined || !withDefaults(merchant.settings)[notice.setting]) return [];
    const recipients = users.filter((user) => user.merchant_id === merchant.id);
    return recipients.map((user) => emailOf(notice, merchant, user));
  });
  await queueEmails(
    trx,
    emails.filter(({ sendAt }) => sendAt === undefined),
  );
  await replaceWaitingEmails(
    trx,
    emails.filter(({ sendAt }) => sendAt !== undefined),
  );
}

/** Deletes the emails of notices with these ids that are waiting; see `IS_WAITING`. */
export async function withdrawNotices(trx: Transaction<Database>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  // A range of the index of keys, which are ordered by byte: ';' is next to ':'.
  await sql`
    delete from mail using unnest(${ids}::text[]) as notice (id)
    where dedupe_key >= notice.id || ':' and dedupe_key < notice.id || ';' and ${IS_WAITING}`.execute(trx);
}

/** A notice as the users of the merchant with this name receive it. */
export function renderNotice(content: MerchantNotice['content'], merchantName: string): RenderedEmail {
  const footer = `Sent to all users who can sign in for ${merchantName}.`;
  return renderEmail({ ...content, to: merchantName, footer });
}

// Helpers

type Merchant = Pick<Selectable<Database['merchant']>, 'id' | 'name'>;
type User = Pick<Selectable<Database['merchant_user']>, 'id' | 'email'>;

function emailOf(
  { id, content, at, sendAt }: MerchantNotice,
  { id: merchantId, name }: Merchant,
  user: User,
): NewEmail {
  return {
    merchantId,
    recipient: user.email,
    dedupeKey: `${id}:${user.id}`,
    createdAt: at,
    sendAt,
    ...renderNotice(content, name),
  };
}

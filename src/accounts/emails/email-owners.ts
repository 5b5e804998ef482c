import type { Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import {
  type EmailContent,
  queueEmails,
  type RenderedEmail,
  renderEmail,
  replaceWaitingEmails,
} from '../../mail/index.ts';
import type { Database } from '../../platform/db/index.ts';

export interface OwnerNotice {
  /** Null for the service itself, whose operators act as owners. */
  readonly merchantId: string | null;
  /**
   * Deduplication key, built from ids: each owner receives one email per key, even if it is queued
   * more than once.
   */
  readonly about: string;
  readonly content: Pick<EmailContent, 'subject' | 'blocks'>;
  /**
   * Earliest time to send it; until it is sent, a later version replaces it. If omitted, the first
   * version is sent immediately.
   */
  readonly sendAt?: UnixMs;
}

/**
 * Queues a security email to every owner who can sign in for a merchant, or to every operator of
 * the service.
 */
export async function emailOwners(
  { trx, now }: { readonly trx: Transaction<Database>; readonly now: UnixMs },
  { merchantId, about, content, sendAt }: OwnerNotice,
): Promise<void> {
  const owners = await trx
    .selectFrom('merchant_user')
    .leftJoin('merchant', 'merchant.id', 'merchant_user.merchant_id')
    .select(['merchant_user.id', 'merchant_user.email', 'merchant.name'])
    .where('merchant_user.merchant_id', merchantId === null ? 'is' : '=', merchantId)
    .where('merchant_user.role', '=', merchantId === null ? 'operator' : 'owner')
    .where('password_hash', 'is not', null)
    .where('disabled_at', 'is', null)
    .orderBy('merchant_user.id')
    .execute();
  const emails = owners.map(({ id, email, name }) => ({
    merchantId,
    recipient: email,
    dedupeKey: `${about}:${id}`,
    createdAt: now,
    sendAt,
    ...renderOwnersEmail(content, name),
  }));
  await (sendAt === undefined ? queueEmails(trx, emails) : replaceWaitingEmails(trx, emails));
}

/** An email as the owners of the merchant of this name receive it; null for the operators. */
export function renderOwnersEmail(content: OwnerNotice['content'], merchantName: string | null): RenderedEmail {
  const footer = `Sent to ${merchantName === null ? 'the operators of this service' : `the owners of ${merchantName}`}.`;
  return renderEmail({ ...content, to: merchantName, footer });
}

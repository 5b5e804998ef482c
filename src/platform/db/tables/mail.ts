import type { Generated } from 'kysely';
import type { Json, NullableTimestamp, Timestamp } from './columns.ts';

/** One email to one address, written in the commit that caused it. */
export interface MailTable {
  id: string;
  /** Null for the operator's own email. */
  merchant_id: string | null;
  recipient: string;
  /** Sender name; null for the installation's own. */
  from_name: string | null;
  /**
   * Actor that receives `mail.bounced` when the mailbox does not exist. Set on every email to a
   * customer; null for email to a user.
   */
  actor_id: string | null;
  /**
   * Cleared, like the texts and headers, once the email is final: its content is no longer needed,
   * and its links are credentials.
   */
  subject: string;
  text: string;
  html: string;
  /** In addition to the headers every email has. */
  headers: Json<Readonly<Record<string, string>>>;
  /** Deduplication key: a second email with the same key is not written. Contains no address. */
  dedupe_key: string;
  /**
   * `stored`: kept for inspection, because there is no mail server or the email must not be sent.
   */
  state: 'queued' | 'stored' | 'sent' | 'failed';
  /** How often a worker has claimed it for sending. */
  tries: Generated<number>;
  /** A worker has claimed it and not yet recorded the outcome. */
  is_leased: Generated<boolean>;
  /** Attempts with unknown outcome: each may have sent the email. */
  uncertain_tries: Generated<number>;
  /**
   * When it may be claimed again: the end of a delay or of a worker's lease. Null unless queued.
   */
  next_try_at: NullableTimestamp;
  /** Without email addresses. */
  last_error: string | null;
  /**
   * `bounced`: the mailbox does not exist. `refused`: the server rejects this email. `gave_up`: not
   * sent within the maximum number of days.
   */
  failed_because: 'bounced' | 'refused' | 'gave_up' | null;
  created_at: Timestamp;
  /** When a mail server accepted it; kept if it bounces afterwards. */
  sent_at: NullableTimestamp;
}

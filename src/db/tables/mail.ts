import type { Generated } from 'kysely';
import type { Json, Moment, NullableMoment } from './columns.ts';

/** One mail to one address, as it was written by the commit that caused it. */
export interface MailTable {
  id: string;
  /** Whose affair it is; null for the operator's own. */
  merchant_id: string | null;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** Beyond those every mail has. */
  headers: Json<Readonly<Record<string, string>>>;
  /** What the mail is about: a second one with the same key is not written. Holds no address. */
  dedupe_key: string;
  /** `stored`: there was no mail server to send it with, so it was kept for whoever looks. */
  state: 'queued' | 'stored' | 'sent' | 'failed';
  /** How often a worker took it to send it. */
  tries: Generated<number>;
  /** When it may be taken again: the end of a pause, or of a worker's lease. Null unless it is queued. */
  next_try_at: NullableMoment;
  /** Without addresses. */
  last_error: string | null;
  /** `bounced`: there is no such mailbox. `refused`: the server does not want this mail. `gave_up`: too many days went by. */
  failed_because: 'bounced' | 'refused' | 'gave_up' | null;
  created_at: Moment;
  sent_at: NullableMoment;
}

/** Something a merchant should know, for its dashboard. */
export interface MerchantNoticeTable {
  id: string;
  merchant_id: string;
  kind: string;
  /** Id of what it is about. */
  subject_id: string;
  /** What the kind says more. */
  data: Json<Readonly<Record<string, unknown>>>;
  created_at: Moment;
  read_at: NullableMoment;
}

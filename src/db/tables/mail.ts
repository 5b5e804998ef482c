import type { Generated } from 'kysely';
import type { Json, Moment, NullableMoment } from './columns.ts';

/** One mail to one address, as it was written by the commit that caused it. */
export interface MailTable {
  id: string;
  /** Whose affair it is; null for the operator's own. */
  merchant_id: string | null;
  recipient: string;
  /** Shown as sender's name in place of the installation's own; null for that one. */
  from_name: string | null;
  /** Hears `mail.bounced` when the mailbox does not exist. Every mail to a customer has one; null for all that is written to a login. */
  actor_id: string | null;
  /** Empty, with the texts and headers, once it has come to an end: what was sent is nobody's business here, and its links act. */
  subject: string;
  text: string;
  html: string;
  /** Beyond those every mail has. */
  headers: Json<Readonly<Record<string, string>>>;
  /** What the mail is about: a second one with the same key is not written. Holds no address. */
  dedupe_key: string;
  /** `stored`: kept for whoever looks, because there was no mail server or it must not leave. */
  state: 'queued' | 'stored' | 'sent' | 'failed';
  /** How often a worker took it to send it. */
  tries: Generated<number>;
  /** A worker has taken it and not told how that ended. */
  is_leased: Generated<boolean>;
  /** How many tries ended nobody knows how: each may have sent it. */
  uncertain_tries: Generated<number>;
  /** When it may be taken again: the end of a pause, or of a worker's lease. Null unless it is queued. */
  next_try_at: NullableMoment;
  /** Without addresses. */
  last_error: string | null;
  /** `bounced`: there is no such mailbox. `refused`: the server does not want this mail. `gave_up`: too many days went by. */
  failed_because: 'bounced' | 'refused' | 'gave_up' | null;
  created_at: Moment;
  /** When a server took it; stays when it came back afterwards. */
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

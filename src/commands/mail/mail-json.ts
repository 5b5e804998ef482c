import type { ListedMail } from '../../mail/index.ts';
import { timeText } from '../print.ts';

/** A mail as `--json` prints it. */
export function mailToJson(mail: ListedMail) {
  return {
    mail_id: mail.id,
    merchant_id: mail.merchantId,
    recipient: mail.recipient,
    from_name: mail.fromName,
    subject: mail.subject,
    state: mail.state,
    failed_because: mail.failedBecause,
    tries: mail.tries,
    uncertain_tries: mail.uncertainTries,
    last_error: mail.lastError,
    next_try_at: timeText(mail.nextTryAt),
    created_at: timeText(mail.createdAt),
    sent_at: timeText(mail.sentAt),
  };
}

/**
 * Merchants and mail servers write parts of it, and control characters could control a terminal.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu, '�');
}

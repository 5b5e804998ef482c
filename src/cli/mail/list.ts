import { type EmailListRequest, type EmailPage, type ListedEmail, listEmails } from '../../mail/index.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { withMerchant } from '../key/context.ts';
import { printResult, tableText, timeText } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { MailValues } from './commands.ts';

/** `quittance mail list`: emails with their recipients and delivery state. */
export async function mailList({ merchant, state, limit, json }: MailValues['list']): Promise<void> {
  const filter: EmailListRequest = { limit, ...(state === null ? {} : { state }) };
  const { emails, hasMore } =
    merchant === null
      ? await withDatabase(loadConfig(process.env), (db) => listEmails(db, filter))
      : await withMerchant(merchant, (db, { id: merchantId }) => listEmails(db, { ...filter, merchantId }));
  printResult(json, { mails: emails.map(emailToJson), has_more: hasMore }, () => listText({ emails, hasMore }));
}

/** An email as `--json` prints it. */
export function emailToJson(mail: ListedEmail) {
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

// Helpers

const HEADINGS = ['MAIL', 'WRITTEN', 'STATE', 'TRIES', 'NEXT', 'TO', 'SUBJECT', 'LAST ERROR'];

function listText({ emails, hasMore }: EmailPage): string {
  if (emails.length === 0) return 'No emails found.';
  const rows = emails.map((mail) => [
    mail.id,
    timeText(mail.createdAt) ?? '-',
    stateText(mail),
    String(mail.tries),
    timeText(mail.nextTryAt) ?? '-',
    printable(mail.recipient),
    mail.subject === '' ? '-' : printable(mail.subject),
    printable(mail.lastError ?? '-'),
  ]);
  return hasMore ? `${tableText(HEADINGS, rows)}\nThere are older emails; raise --limit.` : tableText(HEADINGS, rows);
}

function stateText({ state, failedBecause }: ListedEmail): string {
  return failedBecause === null ? state : `${state} (${failedBecause.replaceAll('_', ' ')})`;
}

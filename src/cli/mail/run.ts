import {
  type EmailListRequest,
  type EmailPage,
  type FullEmail,
  getEmail,
  type ListedEmail,
  listEmails,
} from '../../mail/index.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { TerminalError } from '../../platform/errors.ts';
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

/** `quittance mail show`: one email with its content. */
export async function mailShow({ mail: emailId, json }: MailValues['show']): Promise<void> {
  const email = await withDatabase(loadConfig(process.env), (db) => getEmail(db, emailId));
  if (email === null) {
    throw new TerminalError('MAIL_NOT_FOUND', 'There is no such email; list them with "quittance mail list"');
  }
  const { text, html, headers } = email;
  printResult(json, { ...emailToJson(email), headers, text, html }, () => emailText(email));
}

// Helpers

/** An email as `--json` prints it. */
function emailToJson(email: ListedEmail) {
  return {
    mail_id: email.id,
    merchant_id: email.merchantId,
    recipient: email.recipient,
    from_name: email.fromName,
    subject: email.subject,
    state: email.state,
    failed_because: email.failedBecause,
    tries: email.tries,
    uncertain_tries: email.uncertainTries,
    last_error: email.lastError,
    next_try_at: timeText(email.nextTryAt),
    created_at: timeText(email.createdAt),
    sent_at: timeText(email.sentAt),
  };
}

const HEADINGS = ['MAIL', 'WRITTEN', 'STATE', 'TRIES', 'NEXT', 'TO', 'SUBJECT', 'LAST ERROR'];

function listText({ emails, hasMore }: EmailPage): string {
  if (emails.length === 0) return 'No emails found.';
  const rows = emails.map((email) => [
    email.id,
    timeText(email.createdAt) ?? '-',
    stateText(email),
    String(email.tries),
    timeText(email.nextTryAt) ?? '-',
    email.recipient,
    email.subject === '' ? '-' : email.subject,
    email.lastError ?? '-',
  ]);
  return hasMore ? `${tableText(HEADINGS, rows)}\nThere are older emails; raise --limit.` : tableText(HEADINGS, rows);
}

function stateText({ state, failedBecause }: ListedEmail): string {
  return failedBecause === null ? state : `${state} (${failedBecause.replaceAll('_', ' ')})`;
}

function emailText(email: FullEmail): string {
  const details: readonly (readonly [string, string | null])[] = [
    [
      'State',
      email.failedBecause === null ? email.state : `${email.state}: ${email.failedBecause.replaceAll('_', ' ')}`,
    ],
    [
      'Tries',
      email.uncertainTries === 0
        ? String(email.tries)
        : `${email.tries}, of which ${email.uncertainTries} may have delivered it`,
    ],
    ['Last error', email.lastError],
    ['Next try', timeText(email.nextTryAt)],
    ['Written', timeText(email.createdAt)],
    ['Sent', timeText(email.sentAt)],
    ['From', email.fromName],
    ['To', email.recipient],
    ['Subject', email.subject === '' ? null : email.subject],
    ...Object.entries(email.headers),
  ];
  const isOver = email.state === 'sent' || email.state === 'failed';
  return [
    ...details.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])),
    '',
    isOver ? 'Content deleted after delivery ended.' : email.text.trimEnd(),
  ].join('\n');
}

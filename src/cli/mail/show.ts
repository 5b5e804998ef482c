import { type FullEmail, getEmail } from '../../mail/index.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { printResult, timeText } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { MailValues } from './commands.ts';
import { emailToJson, printable } from './list.ts';

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
    ...details.flatMap(([name, value]) => (value === null ? [] : [`${printable(name)}: ${printable(value)}`])),
    '',
    isOver ? 'Content deleted after delivery ended.' : email.text.split('\n').map(printable).join('\n').trimEnd(),
  ].join('\n');
}

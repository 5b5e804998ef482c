import { type FullEmail, getMail } from '../../mail/index.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { printResult, timeText } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { MailValues } from './commands.ts';
import { emailToJson, printable } from './list.ts';

/** `quittance mail show`: one email with its content. */
export async function mailShow({ mail: mailId, json }: MailValues['show']): Promise<void> {
  const mail = await withDatabase(loadConfig(process.env), (db) => getMail(db, mailId));
  if (mail === null) {
    throw new TerminalError('MAIL_NOT_FOUND', 'There is no such email; list them with "quittance mail list"');
  }
  const { text, html, headers } = mail;
  printResult(json, { ...emailToJson(mail), headers, text, html }, () => mailText(mail));
}

// Helpers

function mailText(mail: FullEmail): string {
  const details: readonly (readonly [string, string | null])[] = [
    ['State', mail.failedBecause === null ? mail.state : `${mail.state}: ${mail.failedBecause.replaceAll('_', ' ')}`],
    [
      'Tries',
      mail.uncertainTries === 0
        ? String(mail.tries)
        : `${mail.tries}, of which ${mail.uncertainTries} may have delivered it`,
    ],
    ['Last error', mail.lastError],
    ['Next try', timeText(mail.nextTryAt)],
    ['Written', timeText(mail.createdAt)],
    ['Sent', timeText(mail.sentAt)],
    ['From', mail.fromName],
    ['To', mail.recipient],
    ['Subject', mail.subject === '' ? null : mail.subject],
    ...Object.entries(mail.headers),
  ];
  const isOver = mail.state === 'sent' || mail.state === 'failed';
  return [
    ...details.flatMap(([name, value]) => (value === null ? [] : [`${printable(name)}: ${printable(value)}`])),
    '',
    isOver ? 'Content deleted after delivery ended.' : mail.text.split('\n').map(printable).join('\n').trimEnd(),
  ].join('\n');
}

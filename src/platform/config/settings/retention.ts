import { daysOrNever, wholeNumber } from '../parsers.ts';
import { type Setting, setting } from './setting.ts';

/**
 * Not a safety limit: archived actors handle events and starts like active ones. A month and a few
 * days keep recent actors, and those whose monitoring has just ended, in the working tables, where
 * lists and lookups are fastest.
 */
const MIN_ARCHIVE_AFTER_DAYS = 35;

/** When finished actors leave the working tables. */
export const ARCHIVE_SETTINGS = {
  archiveAfterDays: setting(
    'ARCHIVE_AFTER_DAYS',
    '90',
    'Days after which a finished actor moves from the working tables to the archive, where it can still be read.',
    wholeNumber(MIN_ARCHIVE_AFTER_DAYS, 36_500),
  ),
} as const;

/** How long finished items are kept. */
export const RETENTION_SETTINGS = {
  // Endpoint health uses five days of attempts, and a delivery is retried for one day.
  webhookAttempts: retention('WEBHOOK_ATTEMPTS', '60', 7, "the log of webhook attempts, with receivers' responses"),
  // A replay covers the last 60 days and may take a while.
  webhookEvents: retention('WEBHOOK_EVENTS', '400', 65, 'webhook events, with their bodies and deliveries'),
  mails: retention('MAILS', '180', 30, 'emails that were sent, failed or only stored'),
  deadLetters: retention('DEAD_LETTERS', '90', 7, 'resolved dead letters, from their resolution'),
  runs: retention('RUNS', '180', 7, "operators' finished bulk runs"),
  sessions: retention('SESSIONS', '30', 1, 'expired sessions, invitations and sign-ups'),
  audit: retention('AUDIT', 'never', 365, 'the audit logs of merchants and operators'),
  archive: retention(
    'ARCHIVE',
    'never',
    400,
    'archived actors with their journals, from their end (payments, schedules and webhook events have separate rows)',
  ),
} as const;

// Helpers

function retention(name: string, fallback: string, minDays: number, what: string): Setting<number | null> {
  return setting(
    `RETENTION_${name}_DAYS`,
    fallback,
    `Days to keep ${what}; at least ${minDays}, or never.`,
    daysOrNever(minDays),
  );
}

import type { RetentionDays } from '../../../src/platform/config/index.ts';

/** Deletes and archives nothing. */
export const KEEP_FOREVER: RetentionDays = {
  webhookAttempts: null,
  webhookEvents: null,
  mails: null,
  deadLetters: null,
  runs: null,
  sessions: null,
  audit: null,
  archive: null,
};

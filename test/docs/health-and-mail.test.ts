import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../machines/index.ts';
import { MAIL_HORIZON_MS, MAIL_RETRY_DELAYS_MS } from '../../src/mail/retry-schedule.ts';
import {
  GIVE_UP_AFTER_MS,
  LAST_FAILURE_WITHIN_MS,
  MIN_FAILED_ATTEMPTS,
  MIN_NOTICE_MS,
  WARN_AFTER_MS,
} from '../../src/webhooks/health/decide.ts';
import { readDocument, tableRows } from './markdown.ts';

describe('docs/merchants/webhooks.md', () => {
  const rows = tableRows(readDocument('docs/merchants/webhooks.md'), [
    'After',
    'Notification',
    'Only with disables_itself',
  ]);

  test('states after how long a merchant is notified of a failing endpoint', () => {
    const [hour, half, most] = WARN_AFTER_MS.map(spoken);
    expect(rows.map(([after]) => after)).toEqual([
      `${hour}, and at least ${MIN_FAILED_ATTEMPTS} failed attempts`,
      half,
      most,
      `${spoken(GIVE_UP_AFTER_MS)}, if the last failure is less than a day old`,
      'the next success, after a notification that it fails',
    ]);
    expect(rows.map(([, , option]) => option)).toEqual(['no', 'yes', 'yes', 'yes', 'no']);
    expect([LAST_FAILURE_WITHIN_MS, MIN_NOTICE_MS]).toEqual([DAY_MS, 12 * HOUR_MS]);
  });
});

describe('docs/operators/mail.md', () => {
  test('states how often an email is tried', () => {
    const rows = tableRows(readDocument('docs/operators/mail.md'), ['The server responds', 'The email']);
    const delays = MAIL_RETRY_DELAYS_MS.map(spoken);
    const described = rows.map(([, then = '']) => then);
    expect(described).toContain(`is tried again after ${delays.slice(0, -1).join(', ')}, then every ${delays.at(-1)}`);
    expect(rows.at(-1)?.[0]).toBe(`the same after ${spoken(MAIL_HORIZON_MS)}`);
  });
});

// Helpers

/** `2 days 12 h`, `5 min`. */
function spoken(ms: number): string {
  const [days, hours, minutes] = [Math.floor(ms / DAY_MS), (ms % DAY_MS) / HOUR_MS, (ms % HOUR_MS) / MINUTE_MS];
  if (days > 0) return [`${days} days`, ...(hours > 0 ? [`${hours} h`] : [])].join(' ');
  return minutes > 0 ? `${minutes} min` : `${hours} h`;
}

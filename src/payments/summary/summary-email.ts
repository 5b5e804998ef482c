import type { UnixMs } from '../../../machines/index.ts';
import { type EmailContent, paragraph } from '../../mail/index.ts';

/** What a daily summary says. */
export interface DaySummary {
  /** Start of the day, in UTC. */
  readonly day: UnixMs;
  /** Payments completed on that day whose coins are there. `volume` is exact, with two decimals. */
  readonly completed: readonly { readonly currency: string; readonly count: number; readonly volume: string }[];
  /** Open items of the page Needs attention, and how many of them are late payments. */
  readonly needAttention: number;
  readonly late: number;
  /** Hosts of webhook endpoints that fail. */
  readonly failingHosts: readonly string[];
}

/** Whether there is nothing to report about a day. */
export function isQuiet({ completed, needAttention, failingHosts }: DaySummary): boolean {
  return completed.length === 0 && needAttention === 0 && failingHosts.length === 0;
}

/** To the users of a merchant: one day of live payments, and what needs attention. */
export function summaryEmail(input: DaySummary, publicUrl: string): Pick<EmailContent, 'subject' | 'blocks'> {
  const { completed, needAttention, late, failingHosts } = input;
  const day = DAY.format(input.day);
  const count = completed.reduce((sum, each) => sum + each.count, 0);
  return {
    subject: `Your payments of ${day}`,
    blocks: [
      paragraph(`Live payments of ${day} (UTC), and what needs your attention now.`),
      {
        kind: 'details',
        details: [
          ['Completed payments', String(count)],
          ...completed.map(({ currency, volume }) => [`Volume in ${currency}`, `${volume} ${currency}`] as const),
          ['Need attention', needAttention === 0 ? 'none' : `${needAttention}, of which paid late: ${late}`],
          ['Failing webhook endpoints', failingHosts.length === 0 ? 'none' : failingHosts.join(', ')],
        ],
      },
      needAttention === 0
        ? { kind: 'link', text: 'Open the dashboard', url: `${publicUrl}/console/` }
        : { kind: 'link', text: 'See what needs attention', url: `${publicUrl}/console/needs-attention` },
    ],
  };
}

// Helpers

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

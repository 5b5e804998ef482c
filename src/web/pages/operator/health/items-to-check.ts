import type { Mode } from '../../../../../machines/index.ts';
import type { SystemHealth } from '../../../../http/console/operator/schemas.ts';
import { hrefOf } from '../../../routing/paths.ts';
import { queryOf } from '../actors/actor-filter.ts';

/** One kind of problem that an operator should check, with the list that shows exactly these. */
export interface ItemToCheck {
  readonly title: string;
  /** Null where there is nothing to count. */
  readonly count: number | null;
  /** Since when the oldest waits; null if that is unknown. */
  readonly oldestAt: number | null;
  /** Another page, or a part of this one. */
  readonly href: string;
}

/** The same words in the list and in the figures below it. */
export const NOT_DELIVERED = 'Messages not yet delivered to the bus';

/** Decisions about test payments that merchants must make, and failing test webhooks: no fault. */
export function testItemsToCheck({ issues, testFailingEndpoints }: SystemHealth): ItemToCheck[] {
  return [...issues.filter(isTest).map(ofActors), ofEndpoints(testFailingEndpoints, 'test')].filter(
    ({ count }) => count !== 0,
  );
}

/** Everything that an operator should check, the most urgent first; empty when all is well. */
export function itemsToCheck(health: SystemHealth): ItemToCheck[] {
  const { at, alerts, bus, chains, outbox, deadLetters, failingEndpoints, mails } = health;
  const behind = chains.filter(({ state }) => state !== 'watching');
  const rates = health.rates.filter((rate) => hasFailedLong(rate, at));
  const isOutboxStuck = outbox.oldestAt !== null && at - outbox.oldestAt >= OUTBOX_STUCK_MS;
  return [
    counted('Open alerts', alerts.length, oldest(alerts.map((alert) => alert.at)), '#alerts'),
    ...(bus.responds
      ? []
      : [{ title: 'The message bus does not respond', count: null, oldestAt: null, href: '#work' }]),
    counted(
      'Networks behind or not watched',
      behind.length,
      oldest(behind.map((each) => each.syncedUntil)),
      '#networks',
    ),
    counted(NOT_DELIVERED, isOutboxStuck ? outbox.waiting : 0, outbox.oldestAt, '#work'),
    counted('Dead letters', deadLetters.open, deadLetters.oldestAt, hrefOf('deadLetters', {})),
    ...health.issues.filter((each) => !isTest(each)).map(ofActors),
    ofEndpoints(failingEndpoints, 'live'),
    counted('Failing rate sources', rates.length, oldest(rates.map((rate) => rate.succeededAt)), '#rates'),
    counted('Emails that failed in the last 7 days', mails.failed, null, '#work'),
  ].filter(({ count }) => count !== 0);
}

// Helpers

/** The bus accepts a message immediately; its restart takes less than this. */
const OUTBOX_STUCK_MS = 2 * 60_000;
/** Public sources fail for moments, which quotes outlast. */
const RATE_FAILS_MS = 10 * 60_000;

const KIND_NAMES: Readonly<Record<string, string>> = {
  transaction: 'Payments',
  delivery: 'Webhook deliveries',
  schedule: 'Recurring requests',
};

const STATE_TITLES: Readonly<Record<string, string>> = {
  'expired.paidLate': 'Late payments awaiting the merchant’s decision',
  'open.inReview': 'Payments in review awaiting the merchant’s decision',
};

type ActorIssue = SystemHealth['issues'][number];

function isTest({ filter }: ActorIssue): boolean {
  return filter.mode === 'test';
}

function ofActors({ filter, count, oldestAt }: ActorIssue): ItemToCheck {
  return counted(titleOf(filter), count, oldestAt, hrefOf('actors', {}, queryOf(filter)));
}

function ofEndpoints({ merchants, since }: SystemHealth['failingEndpoints'], mode: Mode): ItemToCheck {
  const title = mode === 'live' ? 'Merchants with failing webhooks' : 'Merchants with failing test webhooks';
  return counted(title, merchants, since, hrefOf('merchants', {}, { failing: mode }));
}

function titleOf({ kind, state, isLate }: ActorIssue['filter']): string {
  const title = state === undefined ? undefined : STATE_TITLES[state];
  return title ?? `${KIND_NAMES[kind] ?? kind} ${isLate === true ? 'with a late timer' : 'too long in their state'}`;
}

function counted(title: string, count: number, oldestAt: number | null, href: string): ItemToCheck {
  return { title, count, oldestAt, href };
}

function oldest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function hasFailedLong({ succeededAt, failedAt }: SystemHealth['rates'][number], now: number): boolean {
  if (failedAt === null) return false;
  return succeededAt === null || (failedAt > succeededAt && now - succeededAt >= RATE_FAILS_MS);
}

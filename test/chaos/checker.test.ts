import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../machines/index.ts';
import type { TransactionView } from '../../src/payments/index.ts';
import { checkEndings } from './checker/endings.ts';
import { expectedEnding, type FinalCoins } from './checker/expected.ts';
import { checkHistories } from './checker/histories.ts';
import { checkWebhooks } from './checker/webhooks.ts';
import type { Receivers, Taken } from './environment/receivers.ts';
import type { ChaosPayment } from './workload/payment.ts';
import type { PlanName } from './workload/plans.ts';

/** Violations that the checker must find; otherwise a clean run means nothing. */

const DUE = 10_000n;
const CLOSE = 1_000_000;
const ID = 'txn_1';

describe('the expected end of a payment', () => {
  const coins = (litoshi: bigint, at: number): FinalCoins => ({ litoshi, firstSeenAt: at });

  test.each<[string, readonly FinalCoins[], string]>([
    ['paid in time', [coins(DUE, CLOSE)], 'completed'],
    ['paid up to the tolerance', [coins(9_950n, CLOSE)], 'completed'],
    ['paid in parts', [coins(4_000n, 1), coins(6_000n, CLOSE)], 'completed'],
    ['one litoshi short of the tolerance', [coins(9_949n, CLOSE)], 'expired'],
    ['paid a moment late', [coins(DUE, CLOSE + 1)], 'expired paid_late'],
    ['half of it late', [coins(5_000n, CLOSE), coins(5_000n, CLOSE + 1)], 'expired paid_late'],
    ['paid six hours late', [coins(DUE, CLOSE + 6 * HOUR_MS)], 'expired paid_late'],
    ['paid later than that', [coins(DUE, CLOSE + 6 * HOUR_MS + 1)], 'expired'],
    ['not paid', [], 'failed'],
  ])('%s', (_, own, expected) => {
    const withoutCoins = { status: 'failed', exception: null } as const;
    const { status, exception } = expectedEnding(own, { dueLitoshi: DUE, expiresAt: CLOSE, withoutCoins });
    expect([status, exception].filter((word) => word !== null).join(' ')).toBe(expected);
  });
});

describe('the checker of end states', () => {
  const paid = new Map([[ID, [{ litoshi: DUE, firstSeenAt: CLOSE }]]]);

  test('reports nothing when everything is correct', () => {
    expect(problems(checkEndings(ending('completed', DUE, paid)))).toEqual([]);
  });

  test('reports a payment that was paid in time and expired, as a false alarm', () => {
    const found = checkEndings(ending('expired', DUE, paid));
    expect(found.map(({ violations }) => violations.length)).toEqual([1, 1, 0]);
  });

  test('reports coins that are on the chain and not shown', () => {
    expect(problems(checkEndings(ending('completed', DUE - 1n, paid)))).toHaveLength(2);
  });

  test('reports a missing payment', () => {
    const { payments, coins } = ending('completed', DUE, paid);
    expect(problems(checkEndings({ payments, coins, views: new Map() }))).toContain(`${ID} is not there any more`);
  });
});

/** States that a service writes when a fault misleads it, and corrects afterwards. */
describe('the checker of histories', () => {
  const OPEN = 'open.awaitingPayment';
  const inTime = [{ litoshi: DUE, firstSeenAt: CLOSE }];

  test('reports nothing when a payment that was paid in time went straight to its end', () => {
    expect(history([OPEN, 'open.partiallyPaid', 'confirming', 'completed'])).toEqual([]);
  });

  test.each<[string, readonly string[]]>([
    ['failed while the mempool of its node was loading', [OPEN, 'confirming', 'failed', 'confirming', 'completed']],
    ['expired while its node answered 401', [OPEN, 'expired.watching', 'confirming', 'completed']],
    ['expired because no trace showed its coins', [OPEN, 'expired.watching', 'confirming', 'completed']],
    ['expired while observations waited on silent connections', [OPEN, 'expired.watching', 'completed']],
    ['paid_late because its log has another index', [OPEN, 'confirming', 'expired.paidLate', 'completed']],
    ['failed at its end', [OPEN, 'confirming', 'failed']],
  ])('reports a payment that was paid in time and was %s', (_, states) => {
    expect(history(states)).toEqual([expect.stringContaining(`${ID} (litecoin, LTC, exact) was ${OPEN}, `)]);
  });

  test('reports a payment without a history', () => {
    expect(history([])).toEqual([expect.stringContaining('no history')]);
  });

  test('ignores a payment whose coins were late, too few or permanently reverted', () => {
    const states = [OPEN, 'confirming', 'failed', 'expired.watching', 'expired.paidLate'];
    expect(history(states, [{ litoshi: DUE, firstSeenAt: CLOSE + 1 }])).toEqual([]);
    expect(history(states, [{ litoshi: DUE / 2n, firstSeenAt: CLOSE }])).toEqual([]);
    expect(history(states, [])).toEqual([]);
  });

  function history(states: readonly string[], coins: readonly FinalCoins[] = inTime): readonly string[] {
    const histories = new Map(states.length === 0 ? [] : [[ID, states]]);
    return checkHistories({ payments: [payment('exact')], coins: new Map([[ID, coins]]), histories }).violations;
  }
});

describe('incorrect histories after the new faults', () => {
  test('coins counted both by balance and by trace make a wrong sum', () => {
    const paid = new Map([[ID, [{ litoshi: DUE, firstSeenAt: CLOSE }]]]);
    expect(problems(checkEndings(ending('completed', 2n * DUE, paid)))).toHaveLength(2);
  });

  test('a commit repeated because its response was lost on a silent connection is a second event', () => {
    expect(problems(checkWebhooks(sent(['created', 'pending', 'completed', 'completed'])))).not.toEqual([]);
  });

  test('a reorged Ethereum block may repeat the pending event of a payment, and no other', () => {
    const payments = [{ ...payment('exact'), network: 'ethereum' as const }];
    const checked = (events: readonly string[]) => problems(checkWebhooks({ ...sent(events), payments }));
    expect(checked(['created', 'pending', 'pending', 'completed'])).toEqual([]);
    expect(checked(['created', 'pending', 'expired', 'completed'])).not.toEqual([]);
  });
});

describe('the checker of webhooks', () => {
  const STORY = ['created', 'pending', 'completed'];

  test('reports nothing when every event arrived once', () => {
    expect(problems(checkWebhooks(sent(STORY)))).toEqual([]);
  });

  test.each<[string, Parameters<typeof sent>]>([
    ['an event that no endpoint answered 200', [STORY, { unverified: 'evt_2' }]],
    ['an event that came with other bytes', [STORY, { changed: 'evt_3' }]],
    ['an event that was never sent', [STORY, { missing: 'evt_2' }]],
    ['an event under an unknown id', [STORY, { unwritten: 'evt_3' }]],
    ['a payment notified as completed twice', [[...STORY, 'completed']]],
    ['a payment notified as expired that was paid', [['created', 'pending', 'expired', 'completed']]],
    ['a payment whose end was not notified', [['created', 'pending']]],
  ])('reports %s', (_, given) => {
    expect(problems(checkWebhooks(sent(...given)))).not.toEqual([]);
  });
});

// Helpers

function problems(findings: readonly { readonly violations: readonly string[] }[]): string[] {
  return findings.flatMap(({ violations }) => violations);
}

function payment(plan: PlanName): ChaosPayment {
  const where = { number: 1, network: 'litecoin', crypto: 'LTC', id: ID, address: 'a', isUncertain: false } as const;
  return { ...where, plan, dueLitoshi: DUE, expiresAt: CLOSE };
}

function viewOf(status: string, litoshi: bigint): ReadonlyMap<string, TransactionView> {
  return new Map([[ID, { transaction_id: ID, status, amount_paid: Number(litoshi) / 1e8 } as TransactionView]]);
}

function ending(status: string, litoshi: bigint, coins: ReadonlyMap<string, readonly FinalCoins[]>) {
  return { payments: [payment('exact')], views: viewOf(status, litoshi), coins };
}

interface Faults {
  readonly unverified?: string;
  readonly changed?: string;
  readonly missing?: string;
  readonly unwritten?: string;
}

/** Webhooks of a payment with these events, sent to both endpoints. */
function sent(events: readonly string[], faults: Faults = {}): Parameters<typeof checkWebhooks>[0] {
  const all = events.map((event, index) => ({ id: `evt_${index + 1}`, event, sequence: index + 1 }));
  const written = new Set(all.map(({ id }) => id).filter((id) => id !== faults.unwritten));
  const taken = new Map<string, Taken>(
    all
      .filter(({ id }) => id !== faults.missing)
      .map(({ id, event, sequence }) => {
        const status = STATUSES[event];
        const body = JSON.stringify({ id, event: `payment.${event}`, sequence, transaction_id: ID, status });
        return [id, { body, requests: 1, responded: id === faults.unverified ? 0 : 1, changed: id === faults.changed }];
      }),
  );
  const receivers: Pick<Receivers, 'taken' | 'forgeries'> = {
    taken: { steady: taken, troubled: taken },
    forgeries: [],
  };
  const views = viewOf('completed', DUE);
  return { payments: [payment('exact')], views, receivers, written };
}

const STATUSES: Readonly<Record<string, string>> = {
  created: 'pending',
  pending: 'awaiting_confirmation',
  completed: 'completed',
  expired: 'expired',
};

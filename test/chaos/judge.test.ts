import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../machines/index.ts';
import type { TransactionView } from '../../src/payments/index.ts';
import { judgeEndings } from './judge/endings.ts';
import { expectedEnding, type FinalCoins } from './judge/expected.ts';
import { judgeWebhooks } from './judge/webhooks.ts';
import type { Receivers, Taken } from './stage/receivers.ts';
import type { ChaosPayment } from './world/payment.ts';
import type { PlanName } from './world/plans.ts';

/** What the judge must find, so that a run it calls clean is worth something. */

const DUE = 10_000n;
const CLOSE = 1_000_000;
const ID = 'txn_1';

describe('what a payment must end as', () => {
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
  ])('%s', (_, own, wanted) => {
    const withoutCoins = { status: 'failed', exception: null } as const;
    const { status, exception } = expectedEnding(own, { dueLitoshi: DUE, expiresAt: CLOSE, withoutCoins });
    expect([status, exception].filter((word) => word !== null).join(' ')).toBe(wanted);
  });
});

describe('the judge of endings', () => {
  const paid = new Map([[ID, [{ litoshi: DUE, firstSeenAt: CLOSE }]]]);

  test('finds nothing when everything is right', () => {
    expect(problems(judgeEndings(ending('completed', DUE, paid)))).toEqual([]);
  });

  test('finds a payment that was paid in time and expired, and calls it a false alarm', () => {
    const found = judgeEndings(ending('expired', DUE, paid));
    expect(found.map(({ violations }) => violations.length)).toEqual([1, 1, 0]);
  });

  test('finds coins that are on the chain and not shown', () => {
    expect(problems(judgeEndings(ending('completed', DUE - 1n, paid)))).toHaveLength(2);
  });

  test('finds a payment that is gone', () => {
    const { payments, coins } = ending('completed', DUE, paid);
    expect(problems(judgeEndings({ payments, coins, views: new Map() }))).toContain(`${ID} is not there any more`);
  });
});

describe('the judge of webhooks', () => {
  const STORY = ['created', 'pending', 'completed'];

  test('finds nothing when every event arrived once', () => {
    expect(problems(judgeWebhooks(told(STORY)))).toEqual([]);
  });

  test.each<[string, Parameters<typeof told>]>([
    ['an event that no endpoint answered 200', [STORY, { unanswered: 'evt_2' }]],
    ['an event that came with other bytes', [STORY, { changed: 'evt_3' }]],
    ['an event that was never sent', [STORY, { missing: 'evt_2' }]],
    ['an event under an id that nobody wrote', [STORY, { unwritten: 'evt_3' }]],
    ['a payment told as completed twice', [[...STORY, 'completed']]],
    ['a payment told as expired that was paid', [['created', 'pending', 'expired', 'completed']]],
    ['a payment whose end was not told', [['created', 'pending']]],
  ])('finds %s', (_, given) => {
    expect(problems(judgeWebhooks(told(...given)))).not.toEqual([]);
  });
});

// Helpers

function problems(findings: readonly { readonly violations: readonly string[] }[]): string[] {
  return findings.flatMap(({ violations }) => violations);
}

function payment(plan: PlanName): ChaosPayment {
  const where = { number: 1, network: 'litecoin', id: ID, address: 'a', isUncertain: false } as const;
  return { ...where, plan, dueLitoshi: DUE, expiresAt: CLOSE };
}

function viewOf(status: string, litoshi: bigint): ReadonlyMap<string, TransactionView> {
  return new Map([[ID, { transaction_id: ID, status, amount_paid: Number(litoshi) / 1e8 } as TransactionView]]);
}

function ending(status: string, litoshi: bigint, coins: ReadonlyMap<string, readonly FinalCoins[]>) {
  return { payments: [payment('exact')], views: viewOf(status, litoshi), coins };
}

interface Faults {
  readonly unanswered?: string;
  readonly changed?: string;
  readonly missing?: string;
  readonly unwritten?: string;
}

/** A payment whose events came like this, to both endpoints. */
function told(story: readonly string[], faults: Faults = {}): Parameters<typeof judgeWebhooks>[0] {
  const all = story.map((event, place) => ({ id: `evt_${place + 1}`, event, sequence: place + 1 }));
  const written = new Set(all.map(({ id }) => id).filter((id) => id !== faults.unwritten));
  const taken = new Map<string, Taken>(
    all
      .filter(({ id }) => id !== faults.missing)
      .map(({ id, event, sequence }) => {
        const status = STATUSES[event];
        const body = JSON.stringify({ id, event: `payment.${event}`, sequence, transaction_id: ID, status });
        return [id, { body, requests: 1, answered: id === faults.unanswered ? 0 : 1, changed: id === faults.changed }];
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

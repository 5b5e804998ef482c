import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { parseCoins } from '../../../machines/index.ts';
import { attentionOfPayment } from '../../../src/payments/attention/list-attention.ts';
import { type AttentionItem, settleAttention } from '../../../src/payments/index.ts';
import type { ActorEvent } from '../../../src/platform/engine/index.ts';
import { CLOSES_AT, DUE, REQUIRED, TERMS, TOLERANCE } from '../../machines/transaction/terms.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { createPaymentRun, type PaymentRun } from '../support/payment-run.ts';
import { settleDeps } from '../support/settle-deps.ts';

/**
 * A merchant who does what the items of a completed payment say has what was due, whatever its
 * coins do: sends back what is too much, gets in another way what was lost, and nothing twice.
 */

type Turn = { readonly does: 'confirm' | 'lose' | 'see'; readonly coin: number } | { readonly does: 'settle' };

/** One that pays it, a part, an excess, and less than the tolerance. */
const COINS = [DUE, DUE / 2n, 40_000n, TOLERANCE / 2n] as const;
const LTC_DECIMALS = 8;

const coin = fc.nat(COINS.length - 1);
const turns: fc.Arbitrary<Turn> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('confirm'), coin }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('see'), coin }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('lose'), coin }) },
  { weight: 3, arbitrary: fc.constant({ does: 'settle' }) },
);

let payments: PaymentRun;

describeDatabases('a merchant who follows the items of a completed payment', (database) => {
  beforeEach(async () => {
    payments = await createPaymentRun(database());
  });

  test.each([
    ['paid in time', DUE, REQUIRED],
    ['accepted late with half', DUE / 2n, DUE / 2n - TOLERANCE],
  ])('has what was due: %s', async (_, due, atLeast) => {
    const isLate = due < DUE;
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(turns, { minLength: 3, maxLength: 14 }), async (played) => {
        const balance = await begin(isLate);
        for (const turn of played) {
          await balance.take(turn);
          const [item] = await balance.openItems();
          const { seen, confirmed } = balance.sums();
          if (item === undefined) {
            expect(seen).toBeGreaterThanOrEqual(atLeast);
            expect(confirmed).toBeLessThanOrEqual(due + TOLERANCE);
          } else {
            expect(amountOf(item)).toBe(item.kind === 'coins_lost' ? due - seen : confirmed - due);
          }
        }
      }),
      { numRuns: level.runs(database().kind === 'postgres' ? 30 : 8) },
    );
  });

  /** A payment completed by its first coin, or by its second one, which came late. */
  async function begin(isLate: boolean) {
    const { db } = database();
    const id = await payments.start();
    const presence = new Map<number, 'confirm' | 'see'>();
    let order = 0;
    /** Got in another way, less what was sent back. */
    let besides = 0n;

    async function report(does: 'confirm' | 'lose' | 'see', which: number): Promise<void> {
      // Of those that are there.
      const coin = does === 'lose' ? [...presence.keys()][which % Math.max(presence.size, 1)] : which;
      if (coin === undefined) return;
      order += 1;
      if (does === 'lose') presence.delete(coin);
      else presence.set(coin, does);
      await payments.play(id, [observed(does, coin, order, isLate)]);
    }
    const sum = (...counted: string[]) =>
      [...presence].reduce((all, [coin, as]) => all + (counted.includes(as) ? (COINS[coin] ?? 0n) : 0n), besides);
    const openItems = async () => (await attentionOfPayment(db, id)).filter(({ settledAt }) => settledAt === null);
    async function settle(): Promise<void> {
      const [item] = await openItems();
      if (item === undefined) return;
      const { transactionId, kind, amountCrypto, revision } = item;
      const request = { merchantId: TERMS.merchantId, transactionId, kind, amountCrypto, revision };
      await settleAttention(settleDeps(db, payments.engine, CLOSES_AT), { ...request, note: 'done', by: 'usr_1' });
      besides += kind === 'coins_lost' ? amountOf(item) : -amountOf(item);
    }

    if (isLate) await payments.play(id, [{ type: 'timer.window_closed', dueAt: CLOSES_AT }]);
    await report('confirm', isLate ? 1 : 0);
    if (isLate) await payments.play(id, [{ type: 'merchant.marked_paid', by: 'usr_1' }]);
    return {
      take: (turn: Turn) => (turn.does === 'settle' ? settle() : report(turn.does, turn.coin)),
      openItems,
      sums: () => ({ seen: sum('confirm', 'see'), confirmed: sum('confirm') }),
    };
  }
});

// Helpers

const TYPES = {
  confirm: 'chain.output_confirmed',
  see: 'chain.output_seen',
  lose: 'chain.output_dropped',
} as const;

function observed(does: keyof typeof TYPES, coin: number, order: number, isLate: boolean): ActorEvent {
  return {
    type: TYPES[does],
    outputId: `coin-${coin}:0`,
    txid: `coin-${coin}`,
    amountBaseUnits: String(COINS[coin]),
    order,
    firstSeenAt: isLate ? CLOSES_AT + 1 : CLOSES_AT - 1,
    ...(does === 'confirm' ? { height: 101, blockHash: 'main-101' } : {}),
    ...(does === 'lose' ? { reason: 'reorged' } : {}),
  };
}

function amountOf({ amountCrypto }: AttentionItem): bigint {
  return parseCoins(amountCrypto, LTC_DECIMALS);
}

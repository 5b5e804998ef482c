import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../machines/index.ts';
import { listStatement } from '../../../src/payments/search/list-transactions.ts';
import { VIEW_COLUMNS } from '../../../src/payments/view/merchant-view.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { insertPayments, PLAIN, SHOP } from './rows.ts';

const STATUSES = ['completed', 'expired'] as const;
const COINS = ['LTC', 'ETH'] as const;

describeDatabases('the total of a page that leaves out what was created since', (database) => {
  test('is that of all matches, whether it is counted or taken from the kept counts', async () => {
    const { db } = database();
    const now = Date.now();
    const rows = Array.from({ length: 60 }, (_, index) => ({
      ...PLAIN,
      id: `txn_${String(index).padStart(2, '0')}`,
      status: STATUSES[index % 2] ?? 'completed',
      crypto: COINS[index % 3] ?? 'LTC',
      // Over two days; several in one minute.
      createdAt: now - Math.floor(index / 2) * 97 * MINUTE_MS,
    }));
    await insertPayments(db, rows);
    const request = fc.record({
      createdTo: fc.integer({ min: -3 * DAY_MS, max: DAY_MS / 2 }).map((ms) => now + ms),
      status: fc.option(fc.constantFrom(...STATUSES), { nil: undefined }),
      crypto: fc.option(fc.constantFrom(...COINS), { nil: undefined }),
    });
    await assertAsyncProperty(
      fc.asyncProperty(request, async ({ createdTo, status, crypto }) => {
        const page = { limit: 1, offset: 0, createdTo, status, crypto };
        const found = await listStatement(SHOP, page, VIEW_COLUMNS).execute(db);
        const meant = rows
          .filter((row) => row.createdAt < createdTo)
          .filter((row) => status === undefined || row.status === status)
          .filter((row) => crypto === undefined || row.crypto === crypto);
        expect(found.rows[0]?.total).toBe(meant.length);
      }),
      { numRuns: level.runs(100) },
    );
  });
});

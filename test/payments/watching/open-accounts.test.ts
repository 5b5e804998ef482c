import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ASSETS } from '../../../machines/index.ts';
import { isOpenAccount } from '../../../src/payments/watching/open-accounts.ts';
import { UTXO_COINS } from '../../../src/platform/config/index.ts';
import { describeDatabases } from '../../support/database/test-database.ts';

/** Sorted. */
const COINS_WITH_OUTPUTS = Object.values(ASSETS)
  .filter(({ family }) => family === 'utxo')
  .map(({ symbol }) => symbol)
  .sort();

describeDatabases('the coins without accounts', (database) => {
  test('are left out by the condition of the query', () => {
    const query = isOpenAccount('ethereum-mainnet').compile(database().db).sql;
    const lists = [...query.matchAll(/crypto not in \(([^)]*)\)/g)].map(([, list = '']) => symbolsIn(list));
    expect(lists).toEqual([COINS_WITH_OUTPUTS, COINS_WITH_OUTPUTS]);
  });

  test('are left out by the index that the query uses', async () => {
    const { rows } = await sql<{ condition: string }>`
      select pg_get_expr(indpred, indrelid) as condition from pg_index
      where indexrelid = 'transaction_open_account'::regclass`.execute(database().db);
    const [, coins = ''] = /crypto <> ALL \(([^)]*)\)/.exec(rows[0]?.condition ?? '') ?? [];
    expect(symbolsIn(coins)).toEqual(COINS_WITH_OUTPUTS);
  });

  test('have settings for their nodes', () => {
    expect([...UTXO_COINS].sort()).toEqual(COINS_WITH_OUTPUTS);
  });
});

// Helpers

/** Sorted. */
function symbolsIn(list: string): string[] {
  return [...list.matchAll(/'([A-Z]+)'/g)].map(([, symbol = '']) => symbol).sort();
}

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeDatabases } from '../support/database/test-database.ts';
import { DUE, LITECOIN, newWallet, startEngine, startPayment } from './watching/sink-support.ts';

describeDatabases('the rows of a payment', (database) => {
  test('are not written by events that do not change them', async () => {
    const { db } = database();
    const engine = startEngine(db);
    const derivationKeyId = await newWallet(db, LITECOIN);
    const { transactionId } = await startPayment(db, engine, { derivationKeyId, network: LITECOIN, crypto: 'LTC' });
    /** Where its version is stored, who wrote it, and who locked or replaced it. */
    const versionOf = async (table: string, key: string) => {
      const { rows } = await sql<{ version: string }>`
        select concat_ws(' ', ctid, xmin, xmax) as version from ${sql.table(table)}
        where ${sql.ref(key)} = ${transactionId} order by ctid`.execute(db);
      return rows.map(({ version }) => version);
    };
    const see = (txid: string) =>
      engine.deliver({
        actorId: transactionId,
        eventId: `seen:${txid}`,
        event: {
          type: 'chain.output_seen',
          order: 1,
          outputId: `${txid}:0`,
          txid,
          amountBaseUnits: (DUE / 4n).toString(),
          firstSeenAt: Date.now(),
        },
      });

    const agreed = await versionOf('transaction_terms', 'id');
    const before = await versionOf('transaction_status', 'id');
    await see('a'.repeat(64));
    const coins = await versionOf('payment', 'transaction_id');
    await see('b'.repeat(64));

    expect(agreed).toHaveLength(1);
    expect(await versionOf('transaction_terms', 'id')).toEqual(agreed);
    expect(await versionOf('transaction_status', 'id')).not.toEqual(before);
    expect(coins).toHaveLength(1);
    expect(await versionOf('payment', 'transaction_id')).toEqual([coins[0], expect.any(String)]);
  });
});

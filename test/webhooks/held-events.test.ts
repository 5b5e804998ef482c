import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../machines/index.ts';
import { countDeliveries, raiseWebhookEvents } from '../../src/webhooks/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { endpointVerbs } from './endpoints/endpoint-verbs.ts';
import { addEndpoint, createMerchant, newEvent } from './harness.ts';

describeDatabases('the events held for a disabled endpoint', (database) => {
  const { change } = endpointVerbs(database);

  test('include one that was stamped before it was disabled and stored afterwards', async () => {
    const { db } = database();
    const merchantId = await createMerchant(database());
    const { id } = await addEndpoint(database(), { merchantId, url: 'https://shop.example/held' });
    const created = await db
      .selectFrom('webhook_endpoint')
      .select('created_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const held = async () => (await countDeliveries({ db, clock: { now: Date.now } }, [id])).get(id)?.held;
    const raise = (at: number) => {
      const event = newEvent({ merchantId, event: 'payment.completed', at });
      return db.transaction().execute((trx) => raiseWebhookEvents(trx, [event]));
    };
    const stampedAt = created.created_at + 10 * MINUTE_MS;
    expect(await raise(stampedAt)).toHaveLength(1);
    await change(merchantId, id, { enabled: false });
    await db
      .updateTable('webhook_endpoint')
      .set({ disabled_at: new Date(stampedAt + 1) })
      .where('id', '=', id)
      .execute();
    expect(await held()).toBe(0);
    expect(await raise(stampedAt)).toEqual([]);
    expect(await held()).toBe(1);
    // Nothing takes that long from the stamp to the commit: it missed an endpoint of another time.
    await raise(stampedAt - 2 * MINUTE_MS);
    expect(await held()).toBe(1);
    await raise(stampedAt + 2);
    expect(await held()).toBe(2);
  });
});

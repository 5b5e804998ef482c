import { startLitecoind } from '../test/support/nodes/litecoind.ts';
import { createCustomer } from './customer.ts';
import type { Stage } from './scenarios.ts';
import { openShop } from './shop.ts';
import { createWorld } from './world.ts';

/**
 * A private node, a customer with coins, and a shop. `close` stops all of it and deletes its data.
 */
export async function setStage(): Promise<Stage & { close(): Promise<void> }> {
  const node = await startLitecoind();
  try {
    const world = createWorld(node);
    const shop = await openShop({ world });
    return {
      world,
      shop,
      customer: createCustomer(world),
      async close() {
        await shop.close();
        await node.stop();
      },
    };
  } catch (error) {
    await node.stop();
    throw error;
  }
}

import { startLitecoind } from '../test/support/nodes/litecoind.ts';
import { COMPONENTS } from '../test/support/run/components.ts';
import { createCustomer } from './customer.ts';
import { type Outcome, play, playedOut } from './play.ts';
import { SCENARIOS, type Stage } from './scenarios.ts';
import { openShop } from './shop.ts';
import { describeOutcomes } from './table.ts';
import { createWorld } from './world.ts';

/**
 * `npm run demo:litecoin`: takes five payments on a private Litecoin chain, through the public API
 * and with real webhooks, and prints the results. Exits 1 when anything differs from
 * docs/merchants/payment-rules.md.
 *
 * The service runs in this process, wired exactly as the command wires it except for its clock,
 * which can be moved ahead together with the node's. So a payment can be late within seconds.
 */
if (!COMPONENTS.litecoind.isThere()) {
  console.error(`This demo needs Litecoin Core: ${COMPONENTS.litecoind.missing}. Install it: npm run setup:tests`);
  process.exitCode = 1;
} else {
  await main();
}

// Helpers

async function main(): Promise<void> {
  console.log('Starting litecoind in regtest and the service ...');
  const stage = await setStage();
  try {
    const played: Outcome[] = [];
    for (const scenario of SCENARIOS) {
      console.log(`Paying: ${scenario.name} ...`);
      played.push(await play(stage, scenario));
    }
    const outcomes = await Promise.all(played.map((outcome) => playedOut(stage, outcome)));
    console.log(`\n${describeOutcomes(outcomes)}\n`);
    tellResult(outcomes);
  } finally {
    await stage.close();
  }
}

function tellResult(outcomes: readonly Outcome[]): void {
  const different = outcomes.filter(({ differences }) => differences.length > 0);
  for (const { scenario, differences } of different) {
    for (const difference of differences) console.error(`${scenario.name}: ${difference}`);
  }
  if (different.length > 0) process.exitCode = 1;
  else
    console.log(
      `All ${outcomes.length} payments came out as docs/merchants/payment-rules.md says; every signature is valid.`,
    );
}

/**
 * A private node, a customer with coins, and a shop. `close` stops all of it and deletes its data.
 */
async function setStage(): Promise<Stage & { close(): Promise<void> }> {
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

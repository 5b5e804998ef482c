import { runRounds } from '../support/rounds.ts';
import { createWebhookInstallation, LOCAL_BUS, type Shop } from './installation.ts';
import { deliver } from './throughput.ts';

/** One side of `npm run bench:compare -- COMMIT webhooks`: deliveries to `callers` endpoints. */

/** A fixed number, since the time that deliveries take is what is measured. */
const EVENTS_PER_SECOND = 500;

const installation = await createWebhookInstallation(LOCAL_BUS);
const shops: Shop[] = [];
await runRounds(async ({ callers, durationMs, countRows }) => {
  if (shops.length < callers) shops.push(...(await installation.addShops(callers - shops.length, '/taking/plain')));
  const events = (EVENTS_PER_SECOND * durationMs) / 1_000;
  return deliver(installation, { shops: shops.slice(0, callers), events, countRows });
});
await installation.remove();

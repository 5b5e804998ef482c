import { connect } from '../../src/db/index.ts';
import { raiseEvent, startWebhookService } from '../webhooks/harness.ts';
import { createTestClock } from './engine.ts';

/**
 * A process for tests that kill it: raises one event of a merchant and sends it. Its one argument is a `ChildOrder` as
 * JSON. It never ends by itself.
 */
export interface ChildOrder {
  readonly databaseUrl: string;
  readonly merchantId: string;
}

const order = JSON.parse(process.argv[2] ?? '{}') as ChildOrder;
const connection = await connect({ url: order.databaseUrl, dataDir: null, poolSize: 4 });
const service = await startWebhookService({ connection, clock: createTestClock() });
await raiseEvent(service, connection, order);

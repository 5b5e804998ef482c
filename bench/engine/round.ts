import { createMeter } from '../support/costs.ts';
import { runRounds } from '../support/rounds.ts';
import { openEngineBench } from './open.ts';

/** One side of `npm run bench:compare engine`: durable events of whole payments. */

const bench = await openEngineBench();
const meter = await createMeter(bench.database.db);
await runRounds((request) => bench.round(meter, bench.pay, request));
await bench.stop();

import { alternate, printLoads } from '../support/alternate.ts';
import { bytesOf, startBare } from '../support/bare.ts';
import { fireMeasured } from '../support/load.ts';
import { readSettings } from '../support/settings.ts';
import { ORDER, openCreateBench } from './open.ts';

/**
 * Payments created per second over HTTP, and what each costs, with everything a create does (key
 * lookup, validation, rate lock, address derivation, actor, journal, projection, webhook bytes,
 * outbox), against a bare Fastify route that does one INSERT on the same Postgres. Service and
 * route run in separate processes; rounds alternate, so read the ratio.
 */

const CONNECTIONS = 64;
const { BENCH_ROUND_MS: ROUND_MS, BENCH_ROUNDS: ROUNDS } = readSettings(
  'Payments created per second over HTTP and what each costs, against a bare route that does one INSERT.',
  { BENCH_ROUND_MS: 8_000, BENCH_ROUNDS: 3 },
);

const bench = await openCreateBench();
const bare = await startBare(bench, { CREATE_BYTES: await bytesOf(bench.create) });
const request = { callers: CONNECTIONS, durationMs: ROUND_MS };
const { rows = Number.NaN } = await fireMeasured(bench.meter, bench.create, { ...request, countRows: true });
const results = await alternate(
  [
    { name: 'create', meter: bench.meter, target: bench.create },
    { name: 'bare route, one INSERT', meter: bare.meter, target: bare.post(ORDER) },
  ],
  { ...request, rounds: ROUNDS },
);
printLoads('create', results, new Map([['create', rows]]));
await bare.stop();
await bench.remove();

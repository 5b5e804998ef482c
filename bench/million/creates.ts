import { Pool } from 'undici';
import { median, quantile } from '../support/measure.ts';
import { print } from '../support/print.ts';
import type { Deployment } from '../support/processes/deployment.ts';
import type { RoleProcess } from '../support/processes/role.ts';

/** A deployment and its processes, the API first. */
export interface Side {
  readonly name: string;
  readonly deployment: Deployment;
  readonly processes: readonly RoleProcess[];
}

/**
 * Prints the duration of a create on both sides, in alternating rounds, and the ratio. Creates one
 * at a time, so that this measures the latency of one create and not of a queue.
 */
export async function compareCreates(
  sides: readonly [Side, Side],
  { rounds, creates }: { readonly rounds: number; readonly creates: number },
): Promise<void> {
  const measured = sides.map(({ name, deployment, processes: [api] }) => ({
    name,
    pool: new Pool(api?.url ?? '', { connections: 1 }),
    key: deployment.keys.sk_test,
    p50: [] as number[],
    p99: [] as number[],
  }));
  for (const { pool, key } of measured) for (let count = 0; count < creates; count += 1) await create(pool, key);
  for (let round = 0; round < rounds; round += 1) {
    for (const { pool, key, p50, p99 } of measured) {
      const times: number[] = [];
      for (let count = 0; count < creates; count += 1) {
        const startedAt = performance.now();
        await create(pool, key);
        times.push(performance.now() - startedAt);
      }
      times.sort((a, b) => a - b);
      p50.push(quantile(times, 0.5));
      p99.push(quantile(times, 0.99));
    }
  }
  const [empty, full] = measured.map(({ name, p50, p99 }) => ({ name, p50: median(p50), p99: median(p99) }));
  if (empty === undefined || full === undefined) throw new Error('a side is missing');
  print(`\n| create, one at a time, ${rounds} rounds of ${creates} each | p50 | p99 |`);
  print('|---|---|---|');
  for (const { name, p50, p99 } of [empty, full]) print(`| ${name} | ${p50.toFixed(1)} ms | ${p99.toFixed(1)} ms |`);
  print(`| ratio | ${(full.p50 / empty.p50).toFixed(2)} | ${(full.p99 / empty.p99).toFixed(2)} |`);
  await Promise.all(measured.map(({ pool }) => pool.close()));
}

/** Creates a payment over HTTP; returns its id. */
export async function create(pool: Pool, key: string): Promise<string> {
  const { statusCode, body } = await pool.request({
    path: '/v1/transactions/create',
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ crypto: 'LTC', amount: 25 }),
  });
  const response = (await body.json()) as { data?: { transaction_id: string } };
  if (statusCode !== 201 || response.data === undefined)
    throw new Error(`create returned ${statusCode}: ${JSON.stringify(response)}`);
  return response.data.transaction_id;
}

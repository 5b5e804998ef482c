import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const POLL_EVERY_MS = 25;

/**
 * Polls the server. `stop` returns how many connections waited for another one's lock, on average.
 */
export function watchLocks(url: string): { stop(): Promise<number> } {
  const client = new pg.Client({ connectionString: url });
  const samples: number[] = [];
  let isStopped = false;
  const watching = (async () => {
    await client.connect();
    while (!isStopped) {
      const { rows } = await client.query<{ waiting: string }>(
        `select count(*) as waiting from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      samples.push(Number(rows[0]?.waiting));
      await sleep(POLL_EVERY_MS);
    }
    await client.end();
  })();
  return {
    async stop() {
      isStopped = true;
      await watching;
      return samples.reduce((all, each) => all + each, 0) / Math.max(1, samples.length);
    },
  };
}

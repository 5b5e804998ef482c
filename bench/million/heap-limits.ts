import { print } from '../support/print.ts';
import type { Deployment } from '../support/processes/deployment.ts';
import { expire } from './expire.ts';
import { megabytes, resident, seconds, show } from './report.ts';

const HEAP_LIMITS_MB = [192, 128, 96, 64] as const;

/** Ends `count` windows with less and less heap, until the process does not survive it. */
export async function shrinkHeap({ start, database: { db } }: Deployment, count: number): Promise<void> {
  print(
    `\n| --max-old-space-size, api and worker in one process | ready | resident after the start | at most, with ${show(count)} windows ending |`,
  );
  print('|---|---|---|---|');
  for (const limit of HEAP_LIMITS_MB) {
    const started = await start('api,worker', { NODE_OPTIONS: `--max-old-space-size=${limit}` }).catch(
      (error: Error) => error,
    );
    if (started instanceof Error) {
      print(`| ${limit} MB | does not start | | |`);
      return;
    }
    const atRest = await resident(started);
    const { curve } = await expire(db, count);
    const reading = await started.read().catch(() => null);
    const done = (curve.at(-1)?.expired ?? 0) >= count;
    const peak = reading === null ? 'did not survive' : megabytes(reading.peakResidentBytes);
    print(`| ${limit} MB | ${seconds(started.readyMs)} | ${atRest} | ${peak}${done ? '' : ', NOT all'} |`);
    await started.stop();
  }
}

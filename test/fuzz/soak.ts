import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * With `FC_RUNS` the test runs that many batches without a time limit, and reports the memory in
 * use on the way, which includes the test's own ledger.
 */
export const isSoak = process.env.FC_RUNS !== undefined;

const READ_EVERY = 50_000;

/** Reports speed and memory in use after every 50,000 requests. */
export function createReadings(): (requests: number) => void {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  let next = READ_EVERY;
  let since = Date.now();
  return (requests) => {
    if (requests < next) return;
    collectGarbage();
    const { heapUsed, rss } = process.memoryUsage();
    const perSecond = Math.round((READ_EVERY * 1_000) / (Date.now() - since));
    console.log(`fuzz: ${requests} requests, ${perSecond}/s, heap ${inMb(heapUsed)} MB, all ${inMb(rss)} MB`);
    next += READ_EVERY;
    since = Date.now();
  };
}

// Helpers

function inMb(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}

import { Counter, Histogram, type Registry } from 'prom-client';
import type { WatchObserver } from '../../chains/index.ts';

/** Metrics of the chain watchers in this process. */
export function watchInstruments(registry: Registry): WatchObserver {
  const registers = [registry];
  const polls = new Histogram({
    name: 'quittance_chain_poll_duration_seconds',
    help: 'Polls of a network by the watcher of this process, by outcome: succeeded or failed.',
    labelNames: ['network', 'outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const blocks = new Counter({
    name: 'quittance_chain_blocks_scanned_total',
    help: 'Blocks scanned by the watcher of this process.',
    labelNames: ['network'],
    registers,
  });
  const observations = new Counter({
    name: 'quittance_chain_observations_total',
    help: 'Observations sent to payments, by the state of the coins: mempool, block, confirmed or gone.',
    labelNames: ['network', 'status'],
    registers,
  });
  return {
    polled({ network, hasFailed, durationMs, blocks: scanned }) {
      polls.observe({ network, outcome: hasFailed ? 'failed' : 'succeeded' }, durationMs / 1_000);
      blocks.inc({ network }, scanned);
    },
    observed: ({ network, status }) => observations.inc({ network, status }),
  };
}

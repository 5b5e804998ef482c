/** Every kind of fault, as `--only` and the timeline name it. */
export const FAULT_NAMES = [
  'kill',
  'pause',
  'postgres',
  'nats',
  'cut',
  'stall',
  'silence',
  'disk-postgres',
  'disk-nats',
  'slow-commit',
  'receivers',
  'skew',
  'node-away',
  'node-mempool',
  'node-401',
  'traces',
  'reorg',
  'moved-logs',
  'clock',
] as const;
export type FaultName = (typeof FAULT_NAMES)[number];

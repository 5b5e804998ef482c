import type { Bus } from '../../src/platform/bus/index.ts';

/**
 * For benches that do not measure the bus: it accepts every message immediately. Rows still pass
 * through the outbox.
 */
export const IDLE_BUS: Bus = {
  publish: async () => {},
  subscribe: async () => {
    throw new Error('the bench subscribes to nothing');
  },
  isHealthy: async () => true,
  waiting: async () => null,
  close: async () => {},
};

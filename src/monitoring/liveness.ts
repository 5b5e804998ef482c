import type { EngineLoad } from '../platform/engine/index.ts';

/**
 * Whether this process still works; if not, it should be restarted. Any response shows that its
 * event loop runs. Every statement has a time limit, so an engine batch that runs for minutes waits
 * on a dead connection, and only a new process recovers from that.
 *
 * Neither the database nor NATS is checked: a restart would fix neither, and would stop what still
 * works.
 */
export interface Liveness {
  read(): LivenessResponse;
}

export type LivenessResponse = { readonly isLive: true } | { readonly isLive: false; readonly reason: 'engine_stuck' };

/** Ten statements that each reach their limit of 30 s. */
const STUCK_AFTER_MS = 5 * 60_000;

export function createLiveness({ load }: { readonly load: () => Pick<EngineLoad, 'batchForMs'> }): Liveness {
  return {
    read() {
      const isStuck = (load().batchForMs ?? 0) > STUCK_AFTER_MS;
      return isStuck ? { isLive: false, reason: 'engine_stuck' } : { isLive: true };
    },
  };
}

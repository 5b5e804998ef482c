import type { EngineLoad } from '../engine/index.ts';

/**
 * Whether this process can still do its work, or should be ended and started anew. That it answers at all shows that its
 * event loop turns. A batch of the engine that lasts for minutes waits for a connection that has died without a sign: every
 * statement has a time limit, so no work takes as long. Nothing but a new process gets it going.
 *
 * Neither the database nor NATS is asked: a restart would mend neither, and would take down what still works.
 */
export interface Liveness {
  read(): LivenessAnswer;
}

export type LivenessAnswer = { readonly isLive: true } | { readonly isLive: false; readonly reason: 'engine_stuck' };

/** Ten statements that all run into their limit of 30 s, one after the other. */
const STUCK_AFTER_MS = 5 * 60_000;

export function createLiveness({ load }: { readonly load: () => Pick<EngineLoad, 'batchForMs'> }): Liveness {
  return {
    read() {
      const isStuck = (load().batchForMs ?? 0) > STUCK_AFTER_MS;
      return isStuck ? { isLive: false, reason: 'engine_stuck' } : { isLive: true };
    },
  };
}

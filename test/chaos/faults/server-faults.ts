import type { Fault } from './fault.ts';

const SLOW_COMMIT_MS = 100;

/** `pg_ctl restart -m immediate`: every connection breaks and the server recovers from the WAL. */
export const POSTGRES_RESTART: Fault = {
  name: 'postgres',
  lastsMs: [0, 2_000],
  async begin({ postgres }) {
    await postgres.crash();
    return { what: 'Postgres is down (immediate)', repair: () => postgres.start() };
  },
};

/** SIGKILL; stored data stays. */
export const NATS_RESTART: Fault = {
  name: 'nats',
  lastsMs: [0, 4_000],
  async begin({ nats }) {
    await nats.crash();
    return { what: 'NATS is down (SIGKILL)', repair: () => nats.start() };
  },
};

/** Every WAL flush of Postgres takes 100 ms. */
export const SLOW_COMMIT: Fault = {
  name: 'slow-commit',
  lastsMs: [3_000, 6_000],
  async begin({ postgres }) {
    await postgres.delayCommits(SLOW_COMMIT_MS);
    return { what: `every commit takes ${SLOW_COMMIT_MS} ms`, repair: () => postgres.delayCommits(0) };
  },
};

export const RECEIVERS_AWAY: Fault = {
  name: 'receivers',
  lastsMs: [2_000, 6_000],
  async begin({ receivers }) {
    receivers.goAway();
    return { what: "the merchant's servers are away", repair: async () => receivers.comeBack() };
  },
};

import type { Fault } from './fault.ts';

/** Longer than the lease of a watcher, so that a paused watcher resumes after it was replaced. */
const MAX_PAUSE_MS = 14_000;
const MAX_SKEW_MS = 1_500;

/** A process is stopped for a while and then continues as if nothing had happened. */
export const PAUSE: Fault = {
  name: 'pause',
  lastsMs: [1_000, MAX_PAUSE_MS],
  async begin({ fleet }, random) {
    const member = random.pick(fleet.members);
    member.pause();
    return { what: `${member.name} is stopped (SIGSTOP)`, repair: async () => member.goOn() };
  },
};

/** The clock of one process is set wrong, forward or back, and later corrected. */
export const SKEW: Fault = {
  name: 'skew',
  lastsMs: [2_000, 6_000],
  async begin({ fleet }, random) {
    const member = random.pick(fleet.members);
    const byMs = random.between(-MAX_SKEW_MS, MAX_SKEW_MS);
    member.skew(byMs);
    return { what: `the clock of ${member.name} is wrong by ${byMs} ms`, repair: async () => member.skew(0) };
  },
};

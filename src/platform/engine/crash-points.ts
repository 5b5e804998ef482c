/**
 * Points where a crash would lose or repeat work if the design were wrong. Tests kill the process
 * at each; in production `crash` does nothing.
 */
export const CRASH_POINTS = [
  'engine.half_written',
  'engine.before_commit',
  'engine.after_commit',
  'outbox.before_publish',
  'outbox.after_publish',
  'outbox.after_delete',
  'timers.after_lease',
  'timers.after_publish',
  'receive.before_deliver',
  'receive.after_commit',
] as const;

export type CrashPoint = (typeof CRASH_POINTS)[number];
export type Crash = (point: CrashPoint) => void;

export const neverCrash: Crash = () => {};

import type { Environment } from '../environment/environment.ts';
import type { Member, Role } from '../environment/fleet.ts';
import type { Random } from '../random.ts';

export const KILL_EVERY_MS = 2_000;

/** Percentage of kills that hit any process, even one that is starting. */
const BLIND_KILLS_PERCENT = 20;
/** Kill frequency by role. A killed watcher is replaced after its lease expires, in ten seconds. */
const VICTIMS: readonly Role[] = ['api', 'api', 'api', 'worker', 'worker', 'worker', 'worker', 'watcher'];

/** Kills one process with SIGKILL; returns a description, or null if there was none to kill. */
export function killOne({ fleet }: Environment, random: Random): string | null {
  const victim = pickVictim(fleet.members, random);
  if (victim === null) return null;
  victim.kill();
  return `kill -9 ${victim.name}`;
}

// Helpers

/**
 * Usually picks a process that is ready and has a ready peer to take over its work: on a slow
 * machine, starting takes longer than the time between two kills, and a service that never runs
 * proves nothing. Null when there is none.
 */
function pickVictim(members: readonly Member[], random: Random): Member | null {
  const isBlind = random.between(1, 100) <= BLIND_KILLS_PERCENT;
  const chosen = random.pick(VICTIMS);
  const ofRole = members.filter(({ role }) => role === chosen);
  const victim = random.pick(ofRole);
  if (isBlind) return victim;
  const ready = ofRole.filter((member) => member.isReady());
  return ready.length < 2 ? null : victim;
}

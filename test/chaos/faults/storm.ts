import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Member, Role } from '../stage/fleet.ts';
import type { Stage } from '../stage/stage.ts';
import type { Timeline } from '../timeline.ts';
import { NATS_DISK_FULL, POSTGRES_DISK_FULL } from './disk-faults.ts';
import type { Fault } from './fault.ts';
import { CUT, SILENCE, STALL } from './line-faults.ts';
import type { FaultName } from './names.ts';
import { MEMPOOL_LOADING, NODE_UNAUTHORIZED, TRACES_FAIL } from './node-faults.ts';
import { NATS_POWER_CUT, POSTGRES_POWER_CUT } from './power-faults.ts';
import { PAUSE, SKEW } from './process-faults.ts';
import { NATS_RESTART, POSTGRES_RESTART, RECEIVERS_AWAY, SLOW_COMMIT } from './server-faults.ts';

/** Everything that goes wrong beside what the world does: kills, and four lanes of troubles that overlap. */
export interface Storm {
  /** Lets what is wrong be mended and begins nothing new. Throws what a fault could not do. */
  end(): Promise<void>;
}

const KILL_EVERY_MS = 2_000;
/** So many in a hundred kills hit whoever it may be, in the middle of starting as well. */
const BLIND_KILLS_PERCENT = 20;
/** Who is killed how often. A watcher that is gone is replaced only when its lease has run out, which takes ten seconds. */
const VICTIMS: readonly Role[] = ['api', 'api', 'api', 'worker', 'worker', 'worker', 'worker', 'watcher'];
/** Pause between two troubles of a lane, least and most. */
const CALM_MS = [500, 3_000] as const;

/** Never two of the same lane at once: a server is mended before the next thing happens to it. */
const LANES: readonly (readonly Fault[])[] = [
  [POSTGRES_RESTART, NATS_RESTART, POSTGRES_DISK_FULL, NATS_DISK_FULL, SLOW_COMMIT, POSTGRES_POWER_CUT, NATS_POWER_CUT],
  [PAUSE, SKEW, CUT, STALL, SILENCE, RECEIVERS_AWAY],
  [MEMPOOL_LOADING, NODE_UNAUTHORIZED],
  [TRACES_FAIL],
];

/** Faults that were asked for and cannot happen on this stage, each with the reason. */
export function describeLeftOut(stage: Stage, only: ReadonlySet<FaultName>): string[] {
  return LANES.flat().flatMap((fault) => {
    const reason = only.has(fault.name) ? whyLeftOut(fault, stage) : null;
    return reason === null ? [] : [`${fault.name} is left out: ${reason}`];
  });
}

export function startStorm(deps: {
  readonly stage: Stage;
  readonly random: Random;
  readonly timeline: Timeline;
  readonly only: ReadonlySet<FaultName>;
  /** How many times as long as usual this machine takes to start a process: so much longer is everything left in peace. */
  readonly slowness: number;
}): Storm {
  const { stage, random, timeline, only, slowness } = deps;
  const ending = new AbortController();

  const pause = (ms: number) => sleep(ms, undefined, { signal: ending.signal }).catch(() => {});

  async function kill(choice: Random): Promise<void> {
    for (;;) {
      await pause(KILL_EVERY_MS * slowness);
      if (ending.signal.aborted) return;
      const victim = pickVictim(stage.fleet.members, choice);
      if (victim === null) continue;
      timeline.tell(`kill -9 ${victim.name}`, 'kill');
      victim.kill();
    }
  }

  async function ravage(faults: readonly Fault[], choice: Random): Promise<void> {
    const possible = faults.filter((fault) => only.has(fault.name) && whyLeftOut(fault, stage) === null);
    let deck: Fault[] = [];
    while (possible.length > 0 && !ending.signal.aborted) {
      // Each once before any comes again.
      if (deck.length === 0) deck = choice.shuffled(possible);
      const fault = deck.pop();
      if (fault === undefined) return;
      const trouble = await fault.begin(stage, choice);
      timeline.tell(trouble.what, fault.name);
      await pause(choice.between(...fault.lastsMs));
      await trouble.mend();
      const effect = trouble.effect === undefined ? '' : ` (${trouble.effect()})`;
      timeline.tell(`mended: ${trouble.what}${effect}`);
      await pause(choice.between(...CALM_MS) * slowness);
    }
  }

  const running = [
    ...(only.has('kill') ? [kill(random.fork('kill'))] : []),
    ...LANES.map((faults, place) => ravage(faults, random.fork(`lane ${place}`))),
  ];
  // Looked at by `end`; until then a failure is no unhandled rejection.
  for (const each of running) each.catch(() => {});
  return {
    async end() {
      ending.abort();
      await Promise.all(running);
    },
  };
}

// Helpers

/**
 * Mostly somebody who has work and whose work another can take up: on a slow machine, starting takes longer than the time between
 * two kills, and a service of which nothing ever runs proves nothing. Null when there is nobody.
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

function whyLeftOut(fault: Fault, stage: Stage): string | null {
  return fault.whyLeftOut?.(stage) ?? null;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../../src/platform/errors.ts';
import type { Environment } from '../environment/environment.ts';
import type { Random } from '../random.ts';
import type { Timeline } from '../timeline.ts';
import { NATS_DISK_FULL, POSTGRES_DISK_FULL } from './disk-faults.ts';
import type { Fault } from './fault.ts';
import { KILL_EVERY_MS, killOne } from './kills.ts';
import { CUT, SILENCE, STALL } from './line-faults.ts';
import type { FaultName } from './names.ts';
import { MEMPOOL_LOADING, NODE_UNAUTHORIZED, TRACES_FAIL } from './node-faults.ts';
import { NATS_POWER_CUT, POSTGRES_POWER_CUT } from './power-faults.ts';
import { PAUSE, SKEW } from './process-faults.ts';
import { NATS_RESTART, POSTGRES_RESTART, RECEIVERS_AWAY, SLOW_COMMIT } from './server-faults.ts';

/** All faults except those of the workload: kills, and four lanes of overlapping faults. */
export interface Storm {
  /** Starts no new faults and waits for repairs. Throws the error of a fault that failed. */
  end(): Promise<void>;
}

/** Pause between two faults of a lane, least and most. */
const CALM_MS = [500, 3_000] as const;

/** Faults of one lane never overlap: a server is repaired before its next fault. */
const LANES: readonly (readonly Fault[])[] = [
  [POSTGRES_RESTART, NATS_RESTART, POSTGRES_DISK_FULL, NATS_DISK_FULL, SLOW_COMMIT, POSTGRES_POWER_CUT, NATS_POWER_CUT],
  [PAUSE, SKEW, CUT, STALL, SILENCE, RECEIVERS_AWAY],
  [MEMPOOL_LOADING, NODE_UNAUTHORIZED],
  [TRACES_FAIL],
];

/** Requested faults that cannot happen on this environment, each with the reason. */
export function describeLeftOut(environment: Environment, only: ReadonlySet<FaultName>): string[] {
  return LANES.flat().flatMap((fault) => {
    const reason = only.has(fault.name) ? whyLeftOut(fault, environment) : null;
    return reason === null ? [] : [`${fault.name} is left out: ${reason}`];
  });
}

export function startStorm(deps: {
  readonly environment: Environment;
  readonly random: Random;
  readonly timeline: Timeline;
  readonly only: ReadonlySet<FaultName>;
  /**
   * How many times longer than usual this machine takes to start a process; pauses between faults
   * are multiplied by it.
   */
  readonly slowness: number;
}): Storm {
  const { environment, random, timeline, only, slowness } = deps;
  const ending = new AbortController();

  const pause = (ms: number) => sleep(ms, undefined, { signal: ending.signal }).catch(() => {});

  async function killRepeatedly(choice: Random): Promise<void> {
    for (;;) {
      await pause(KILL_EVERY_MS * slowness);
      if (ending.signal.aborted) return;
      const killed = killOne(environment, choice);
      if (killed !== null) timeline.log(killed, 'kill');
    }
  }

  async function ravage(faults: readonly Fault[], choice: Random): Promise<void> {
    const possible = faults.filter((fault) => only.has(fault.name) && whyLeftOut(fault, environment) === null);
    let deck: Fault[] = [];
    while (possible.length > 0 && !ending.signal.aborted) {
      // Every fault once before any is repeated.
      if (deck.length === 0) deck = choice.shuffled(possible);
      const fault = deck.pop();
      if (fault === undefined) return;
      const trouble = await fault.begin(environment, choice);
      timeline.log(trouble.what, fault.name);
      await pause(choice.between(...fault.lastsMs));
      await trouble.repair();
      const effect = trouble.effect === undefined ? '' : ` (${trouble.effect()})`;
      timeline.log(`over: ${trouble.what}${effect}`);
      await pause(choice.between(...CALM_MS) * slowness);
    }
  }

  const running = [
    ...(only.has('kill') ? [killRepeatedly(random.fork('kill'))] : []),
    ...LANES.map((faults, index) => ravage(faults, random.fork(`lane ${index}`))),
  ];
  // `end` awaits them; until then a failure must not count as an unhandled rejection.
  for (const each of running) {
    each.catch((error: unknown) => timeline.log(`these faults are over: ${messageOf(error)}`));
  }
  return {
    async end() {
      ending.abort();
      await Promise.all(running);
    },
  };
}

// Helpers

function whyLeftOut(fault: Fault, environment: Environment): string | null {
  return fault.whyLeftOut?.(environment) ?? null;
}

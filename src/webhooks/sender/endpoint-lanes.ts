/**
 * Who may use the network now. Every endpoint has a few places of its own, so one that is slow or dead fills its own and
 * nobody else's. What finds no place is parked here in order, and its message is acknowledged: handed back to the bus, the
 * backlog of one dead endpoint would sooner or later occupy every place the bus has. Parking needs no storage,
 * because the delivery's chart asks again for an attempt that stays unanswered (`answer_overdue`); a crash, or a full
 * park, costs that delay and no more.
 */
export interface EndpointLanes {
  /**
   * Runs the job when its endpoint has a place, and settles as the job does; or parks it and resolves. A job whose key is
   * running or parked already is dropped.
   */
  admit(endpointId: string, key: string, job: Job): Promise<void>;
  /** Forgets what is parked and resolves when nothing runs. */
  close(): Promise<void>;
}

/** One attempt. Resolves when it is over and recorded. */
export type Job = () => Promise<void>;

export interface EndpointLanesOptions {
  /** Places per endpoint. */
  readonly maxRunning: number;
  /** Jobs parked at most, over all endpoints. */
  readonly maxParked: number;
  /** Told what a parked job rejects with: nobody else waits for it. */
  readonly onParkedFailure: (error: unknown) => void;
}

/** Makes lanes without any job. A lane exists only while it has one. */
export function createEndpointLanes(options: EndpointLanesOptions): EndpointLanes {
  const lanes = new Map<string, Lane>();
  const keys = new Set<string>();
  const running = new Set<Promise<void>>();
  let parkedJobs = 0;

  function laneOf(endpointId: string): Lane {
    const known = lanes.get(endpointId);
    if (known !== undefined) return known;
    const lane: Lane = { running: 0, parked: [] };
    lanes.set(endpointId, lane);
    return lane;
  }

  async function run(endpointId: string, lane: Lane, { key, job }: Parked): Promise<void> {
    lane.running += 1;
    try {
      await job();
    } finally {
      lane.running -= 1;
      keys.delete(key);
      const next = lane.parked.shift();
      if (next !== undefined) {
        parkedJobs -= 1;
        track(run(endpointId, lane, next)).catch(options.onParkedFailure);
      } else if (lane.running === 0) lanes.delete(endpointId);
    }
  }

  function track(job: Promise<void>): Promise<void> {
    running.add(job);
    const forget = () => running.delete(job);
    job.then(forget, forget);
    return job;
  }

  return {
    async admit(endpointId, key, job) {
      if (keys.has(key)) return;
      const lane = laneOf(endpointId);
      if (lane.running < options.maxRunning) {
        keys.add(key);
        return track(run(endpointId, lane, { key, job }));
      }
      if (parkedJobs >= options.maxParked) return;
      keys.add(key);
      parkedJobs += 1;
      lane.parked.push({ key, job });
    },

    async close() {
      for (const lane of lanes.values()) lane.parked.length = 0;
      parkedJobs = 0;
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

// Helpers

interface Lane {
  running: number;
  readonly parked: Parked[];
}

interface Parked {
  readonly key: string;
  readonly job: Job;
}

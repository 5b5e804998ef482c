/**
 * Who may use the network now. Every endpoint has a few places of its own, so one that is slow or dead fills its own and
 * nobody else's. What finds no place is parked here in order, and its message is acknowledged: handed back to the bus, the
 * backlog of one dead endpoint would sooner or later occupy every place the bus has. Parking needs no storage,
 * because the delivery's chart asks again for an attempt that stays unanswered (`answer_overdue`); a crash, or a full
 * park, costs that delay and no more. When the park is full, the endpoint that has most in it makes room.
 */
export interface EndpointLanes<Job extends LaneJob> {
  /** Whether a job with this key runs or is parked. */
  has(key: string): boolean;
  /**
   * Runs the job when its endpoint has a place, and settles as the job does; or parks it and resolves. A job whose key is
   * running or parked already is dropped.
   */
  admit(job: Job): Promise<void>;
  /** Takes out what is parked for an endpoint, except for urgent jobs. */
  evict(endpointId: string): readonly Job[];
  readonly parked: number;
  /** Forgets what is parked and resolves when nothing runs. */
  close(): Promise<void>;
}

/** One attempt. */
export interface LaneJob {
  readonly endpointId: string;
  readonly key: string;
  /** Goes before those that are not. */
  readonly isUrgent: boolean;
}

export interface EndpointLanesOptions<Job extends LaneJob> {
  /** Places per endpoint. */
  readonly maxRunning: number;
  /** Jobs parked at most, over all endpoints. */
  readonly maxParked: number;
  /** Resolves when the attempt is over and recorded. */
  readonly run: (job: Job) => Promise<void>;
  /** Told what a parked job rejects with: nobody else waits for it. */
  readonly onParkedFailure: (error: unknown) => void;
}

/** Makes lanes without any job. A lane exists only while it has one. */
export function createEndpointLanes<Job extends LaneJob>(options: EndpointLanesOptions<Job>): EndpointLanes<Job> {
  const lanes = new Map<string, Lane<Job>>();
  const keys = new Set<string>();
  const running = new Set<Promise<void>>();
  let parked = 0;

  function laneOf(endpointId: string): Lane<Job> {
    const known = lanes.get(endpointId);
    if (known !== undefined) return known;
    const lane: Lane<Job> = { running: 0, parked: [] };
    lanes.set(endpointId, lane);
    return lane;
  }

  async function run(lane: Lane<Job>, job: Job): Promise<void> {
    lane.running += 1;
    try {
      await options.run(job);
    } finally {
      lane.running -= 1;
      keys.delete(job.key);
      const next = lane.parked.shift();
      if (next !== undefined) {
        parked -= 1;
        track(run(lane, next)).catch(options.onParkedFailure);
      } else if (lane.running === 0) lanes.delete(job.endpointId);
    }
  }

  function track(job: Promise<void>): Promise<void> {
    running.add(job);
    const forget = () => running.delete(job);
    job.then(forget, forget);
    return job;
  }

  function park(lane: Lane<Job>, job: Job): void {
    const place = job.isUrgent ? lane.parked.findIndex(({ isUrgent }) => !isUrgent) : -1;
    lane.parked.splice(place < 0 ? lane.parked.length : place, 0, job);
    keys.add(job.key);
    parked += 1;
    if (parked > options.maxParked) dropLast(longestOf(lanes.values()));
  }

  function dropLast(lane: Lane<Job> | undefined): void {
    const dropped = lane?.parked.pop();
    if (dropped === undefined) return;
    keys.delete(dropped.key);
    parked -= 1;
  }

  return {
    has: (key) => keys.has(key),

    async admit(job) {
      if (keys.has(job.key)) return;
      const lane = laneOf(job.endpointId);
      if (lane.running >= options.maxRunning) {
        park(lane, job);
        return;
      }
      keys.add(job.key);
      return track(run(lane, job));
    },

    evict(endpointId) {
      const lane = lanes.get(endpointId);
      const evicted = lane?.parked.filter(({ isUrgent }) => !isUrgent) ?? [];
      lane?.parked.splice(0, lane.parked.length, ...lane.parked.filter(({ isUrgent }) => isUrgent));
      for (const { key } of evicted) keys.delete(key);
      parked -= evicted.length;
      return evicted;
    },

    get parked() {
      return parked;
    },

    async close() {
      for (const lane of lanes.values()) lane.parked.length = 0;
      parked = 0;
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

// Helpers

interface Lane<Job> {
  running: number;
  readonly parked: Job[];
}

function longestOf<Job>(lanes: Iterable<Lane<Job>>): Lane<Job> | undefined {
  let longest: Lane<Job> | undefined;
  for (const lane of lanes) if (lane.parked.length > (longest?.parked.length ?? 0)) longest = lane;
  return longest;
}

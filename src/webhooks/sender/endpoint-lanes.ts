/**
 * Who may use the network now. Every endpoint has a few places of its own, so one that is slow or dead fills its own and
 * nobody else's. A job with a moment to keep gets an extra place, while there are some. What finds no place is parked here in order, and its message is acknowledged: handed back to the bus, the
 * backlog of one dead endpoint would sooner or later occupy every place the bus has. Parking needs no storage,
 * because the delivery's chart asks again for an attempt that stays unanswered (`answer_overdue`); a crash
 * costs that delay and no more. When the park is full, the endpoint that has most in it makes room: its last is told to come
 * back when its turn would be at the pace the endpoint takes them now, each at a moment of its own. So however many are
 * due at once, memory is bounded, they come back no faster than they can go, and nothing waits for having been forgotten.
 */
export interface EndpointLanes<Job extends LaneJob> {
  /** Whether a job with this key runs or is parked. */
  has(key: string): boolean;
  /**
   * Runs the job when its endpoint has a place, and settles as the job does; or gives it an extra place or parks it, and resolves. A job whose key is
   * running or parked already is dropped.
   */
  admit(job: Job): Promise<void>;
  /** Takes out what is parked for an endpoint, except for urgent jobs. */
  evict(endpointId: string): readonly Job[];
  /** Takes out all that is parked. */
  evictAll(): readonly Job[];
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
  /** Has a moment to keep: takes an extra place when the others are taken. */
  readonly isPunctual: boolean;
}

export interface EndpointLanesOptions<Job extends LaneJob> {
  /** Places per endpoint. */
  readonly maxRunning: number;
  /** Places for punctual jobs beyond those: per endpoint, and over all endpoints. */
  readonly maxExtraPerEndpoint: number;
  readonly maxExtra: number;
  /** Jobs parked at most, over all endpoints. */
  readonly maxParked: number;
  /** Resolves when the attempt is over and recorded. */
  readonly run: (job: Job) => Promise<void>;
  /** Called with what a job rejects with that was parked, or has an extra place: no caller waits for it. */
  readonly onParkedFailure: (error: unknown, job: Job) => void;
  /** Unix ms. */
  readonly now: () => number;
  /** A parked job that has to make room is to come back after this long. The job that takes its place waits for it to be told. */
  readonly sendAway: (job: Job, delayMs: number) => Promise<void>;
}

/** What is sent away comes back after this long at least, and at most, however slow its endpoint is. */
const MIN_AWAY_MS = 1_000;
const MAX_AWAY_MS = 600_000;
/** What an attempt is taken to last before one has ended. */
const UNKNOWN_DURATION_MS = 250;
/** Share of the newest duration in the average. */
const NEWEST_SHARE = 0.1;
/** They are asked back a little sooner than the pace says: an endpoint with nothing parked would idle. */
const EAGERNESS = 0.75;

/** Makes lanes without any job. A lane exists only while it has one. */
export function createEndpointLanes<Job extends LaneJob>(options: EndpointLanesOptions<Job>): EndpointLanes<Job> {
  const lanes = new Map<string, Lane<Job>>();
  const keys = new Set<string>();
  const running = new Set<Promise<void>>();
  let parked = 0;
  let extra = 0;

  function laneOf(endpointId: string): Lane<Job> {
    const known = lanes.get(endpointId);
    if (known !== undefined) return known;
    const lane: Lane<Job> = { running: 0, extra: 0, parked: [], averageMs: UNKNOWN_DURATION_MS, bookedUntil: 0 };
    lanes.set(endpointId, lane);
    return lane;
  }

  async function run(lane: Lane<Job>, job: Job): Promise<void> {
    lane.running += 1;
    const startedAt = performance.now();
    try {
      await options.run(job);
    } finally {
      lane.running -= 1;
      lane.averageMs += NEWEST_SHARE * (performance.now() - startedAt - lane.averageMs);
      keys.delete(job.key);
      const next = lane.parked.shift();
      if (next !== undefined) {
        parked -= 1;
        track(run(lane, next)).catch((error: unknown) => options.onParkedFailure(error, next));
      } else forgetIdle(lane, job);
    }
  }

  /** Its message is settled at once, like that of a parked one: hundreds that take long would occupy the bus. */
  async function runExtra(lane: Lane<Job>, job: Job): Promise<void> {
    lane.extra += 1;
    extra += 1;
    try {
      await options.run(job);
    } catch (error) {
      options.onParkedFailure(error, job);
    } finally {
      lane.extra -= 1;
      extra -= 1;
      keys.delete(job.key);
      forgetIdle(lane, job);
    }
  }

  function forgetIdle(lane: Lane<Job>, { endpointId }: Job): void {
    if (lane.running === 0 && lane.extra === 0) lanes.delete(endpointId);
  }

  function hasExtra(lane: Lane<Job>): boolean {
    return lane.extra < options.maxExtraPerEndpoint && extra < options.maxExtra;
  }

  function track(job: Promise<void>): Promise<void> {
    running.add(job);
    const forget = () => running.delete(job);
    job.then(forget, forget);
    return job;
  }

  /** Resolves when whatever had to make room was sent away. */
  async function park(lane: Lane<Job>, job: Job): Promise<void> {
    const place = job.isUrgent ? lane.parked.findIndex(({ isUrgent }) => !isUrgent) : -1;
    lane.parked.splice(place < 0 ? lane.parked.length : place, 0, job);
    keys.add(job.key);
    parked += 1;
    const longest = parked > options.maxParked ? longestOf(lanes.values()) : undefined;
    const last = longest?.parked.pop();
    if (longest === undefined || last === undefined) return;
    keys.delete(last.key);
    parked -= 1;
    await options.sendAway(last, bookReturn(longest));
  }

  /** When the turn of one more would be: behind all that is parked, and behind all that were sent away before. */
  function bookReturn(lane: Lane<Job>): number {
    const now = options.now();
    const paceMs = (EAGERNESS * lane.averageMs) / options.maxRunning;
    lane.bookedUntil = Math.max(lane.bookedUntil, now + lane.parked.length * paceMs) + paceMs;
    return Math.min(Math.max(lane.bookedUntil - now, MIN_AWAY_MS), MAX_AWAY_MS);
  }

  /** Forgets parked jobs that are taken out of a lane. */
  function forget(evicted: readonly Job[]): readonly Job[] {
    for (const { key } of evicted) keys.delete(key);
    parked -= evicted.length;
    return evicted;
  }

  return {
    has: (key) => keys.has(key),

    async admit(job) {
      if (keys.has(job.key)) return;
      const lane = laneOf(job.endpointId);
      const isFull = lane.running >= options.maxRunning;
      if (isFull && !(job.isPunctual && hasExtra(lane))) return park(lane, job);
      keys.add(job.key);
      if (isFull) void track(runExtra(lane, job));
      else return track(run(lane, job));
    },

    evict(endpointId) {
      const lane = lanes.get(endpointId);
      const evicted = lane?.parked.filter(({ isUrgent }) => !isUrgent) ?? [];
      lane?.parked.splice(0, lane.parked.length, ...lane.parked.filter(({ isUrgent }) => isUrgent));
      return forget(evicted);
    },

    evictAll: () => forget([...lanes.values()].flatMap((lane) => lane.parked.splice(0))),

    get parked() {
      return parked;
    },

    async close() {
      for (const lane of lanes.values()) forget(lane.parked.splice(0));
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

// Helpers

interface Lane<Job> {
  running: number;
  /** Those in extra places, which are not among the running. */
  extra: number;
  readonly parked: Job[];
  /** How long its attempts last, the newest ones above all. */
  averageMs: number;
  /** The turn of the last one sent away, as Unix ms. */
  bookedUntil: number;
}

function longestOf<Job>(lanes: Iterable<Lane<Job>>): Lane<Job> | undefined {
  let longest: Lane<Job> | undefined;
  for (const lane of lanes) if (lane.parked.length > (longest?.parked.length ?? 0)) longest = lane;
  return longest;
}

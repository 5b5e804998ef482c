/**
 * Limits concurrency per endpoint. Each endpoint has its own slots, many while it responds fast and
 * few when it is slow or down, so that it delays no other. A time-critical job gets an extra slot
 * while there are some. A job without a slot waits in memory in order, and its message is
 * acknowledged: returned to the bus, the backlog of one unreachable endpoint would sooner or later
 * occupy every consumer slot of the bus. For the same reason only the jobs in an endpoint's first
 * slots hold their message. Waiting jobs need no storage, because the delivery chart requests an
 * unfinished attempt again (`answer_overdue`); a crash costs only that delay.
 *
 * When too many jobs wait, the endpoint with the most of them makes room: its last job is deferred
 * to the time when it would get a slot at the endpoint's current pace, each job to its own time.
 * Memory is therefore bounded however many jobs are due simultaneously, deferred jobs return no
 * faster than they can be run, and no job is dropped.
 */
export interface EndpointLanes<Job extends LaneJob> {
  /** Whether a job with this key is running or waiting. */
  has(key: string): boolean;
  /**
   * Runs the job if its endpoint has a free slot. In one of the first slots it settles as the job
   * does, so that the bus repeats a failed one; otherwise it resolves immediately, so that an
   * endpoint that stops responding holds few messages of the bus. Without a slot the job gets an
   * extra one or waits. A job whose key is already running or waiting is dropped.
   */
  admit(job: Job): Promise<void>;
  /** Removes and returns the waiting jobs of an endpoint, except urgent ones. */
  evict(endpointId: string): readonly Job[];
  /** Removes and returns all waiting jobs. */
  evictAll(): readonly Job[];
  readonly waiting: number;
  /** Drops the waiting jobs and resolves when none is running. */
  close(): Promise<void>;
}

export interface LaneJob {
  readonly endpointId: string;
  readonly key: string;
  /** Runs before jobs that are not urgent. */
  readonly isUrgent: boolean;
  /** Time-critical: gets an extra slot when the regular ones are occupied. */
  readonly isTimeCritical: boolean;
}

export type LaneResult = 'succeeded' | 'failed' | 'none';

export interface EndpointLanesOptions<Job extends LaneJob> {
  /**
   * Minimum and maximum number of slots of an endpoint. Jobs in the first `minRunning` hold their
   * message of the bus.
   */
  readonly minRunning: number;
  readonly maxRunning: number;
  /** Jobs in all slots; beyond it an endpoint gets its fewest. */
  readonly maxRunningOverall: number;
  /** Extra slots for time-critical jobs: per endpoint, and across all endpoints. */
  readonly maxExtraPerEndpoint: number;
  readonly maxExtra: number;
  /** Maximum number of waiting jobs, across all endpoints. */
  readonly maxWaiting: number;
  /** Resolves when the attempt is finished and recorded; `none` when none was sent. */
  readonly run: (job: Job) => Promise<LaneResult>;
  /** Called when a job rejects that no caller awaits. */
  readonly onBackgroundFailure: (error: unknown, job: Job) => void;
  /** Unix ms. */
  readonly now: () => number;
  /**
   * Defers a waiting job by `delayMs` to free a slot; `admit` of its replacement waits for this.
   */
  readonly defer: (job: Job, delayMs: number) => Promise<void>;
}

/** Minimum and maximum deferral of a displaced job, in ms, however slow its endpoint is. */
const MIN_DEFERRAL_MS = 1_000;
const MAX_DEFERRAL_MS = 600_000;
/**
 * Slots times the average duration of an attempt, in ms: twelve slots for an endpoint that needs
 * half a second. One that slows down under the load gets fewer.
 */
const SLOT_TIME_MS = 6_000;
/** Assumed duration of an attempt before one has ended, in ms: four slots. */
const UNKNOWN_DURATION_MS = 1_500;
/** Weight of the newest duration in the moving average. */
const NEWEST_SHARE = 0.1;
/**
 * Factor on the pace: deferred jobs return a little early, since an endpoint with nothing waiting
 * would idle.
 */
const RETURN_FACTOR = 0.75;

/** A lane exists only while it has a job. */
export function createEndpointLanes<Job extends LaneJob>(options: EndpointLanesOptions<Job>): EndpointLanes<Job> {
  const lanes = new Map<string, Lane<Job>>();
  const keys = new Set<string>();
  const running = new Set<Promise<void>>();
  let inSlots = 0;
  let waiting = 0;
  let extra = 0;

  function laneOf(endpointId: string): Lane<Job> {
    const known = lanes.get(endpointId);
    if (known !== undefined) return known;
    const lane: Lane<Job> = { running: 0, extra: 0, waiting: [], averageMs: UNKNOWN_DURATION_MS, reservedUntil: 0 };
    lanes.set(endpointId, lane);
    return lane;
  }

  async function run(lane: Lane<Job>, job: Job): Promise<void> {
    lane.running += 1;
    inSlots += 1;
    const startedAt = performance.now();
    let result: LaneResult = 'none';
    try {
      result = await options.run(job);
    } finally {
      const wasFull = inSlots >= options.maxRunningOverall;
      lane.running -= 1;
      inSlots -= 1;
      recordDuration(lane, result, performance.now() - startedAt);
      keys.delete(job.key);
      // Others wait for a slot only while all are occupied. They take precedence: this lane just
      // had one.
      if (wasFull) for (const other of lanes.values()) if (other !== lane) runWaiting(other);
      runWaiting(lane);
      forgetIdle(lane, job);
    }
  }

  /** A failure, which may be fast, must not increase the slots of an endpoint. */
  function recordDuration(lane: Lane<Job>, result: LaneResult, durationMs: number): void {
    if (result === 'none' || (result === 'failed' && durationMs < lane.averageMs)) return;
    lane.averageMs += NEWEST_SHARE * (durationMs - lane.averageMs);
  }

  function runWaiting(lane: Lane<Job>): void {
    while (hasSlot(lane)) {
      const next = lane.waiting.shift();
      if (next === undefined) return;
      waiting -= 1;
      track(run(lane, next)).catch((error: unknown) => options.onBackgroundFailure(error, next));
    }
  }

  function hasSlot(lane: Lane<Job>): boolean {
    if (lane.running < options.minRunning) return true;
    return lane.running < slotsOf(lane) && inSlots < options.maxRunningOverall;
  }

  function slotsOf({ averageMs }: Lane<Job>): number {
    const slots = Math.floor(SLOT_TIME_MS / averageMs);
    return Math.min(Math.max(slots, options.minRunning), options.maxRunning);
  }

  /**
   * Its message is settled immediately, like that of a waiting job, so that slow jobs do not occupy
   * the bus.
   */
  async function runExtra(lane: Lane<Job>, job: Job): Promise<void> {
    lane.extra += 1;
    extra += 1;
    try {
      await options.run(job);
    } catch (error) {
      options.onBackgroundFailure(error, job);
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

  /** Resolves when a displaced job has been deferred. */
  async function addWaiting(lane: Lane<Job>, job: Job): Promise<void> {
    const index = job.isUrgent ? lane.waiting.findIndex(({ isUrgent }) => !isUrgent) : -1;
    lane.waiting.splice(index < 0 ? lane.waiting.length : index, 0, job);
    keys.add(job.key);
    waiting += 1;
    const longest = waiting > options.maxWaiting ? longestOf(lanes.values()) : undefined;
    const last = longest?.waiting.pop();
    if (longest === undefined || last === undefined) return;
    keys.delete(last.key);
    waiting -= 1;
    await options.defer(last, nextSlotIn(longest));
  }

  /** When one more job would get a slot: after all waiting jobs and all jobs deferred earlier. */
  function nextSlotIn(lane: Lane<Job>): number {
    const now = options.now();
    const slots = inSlots < options.maxRunningOverall ? slotsOf(lane) : options.minRunning;
    const paceMs = (RETURN_FACTOR * lane.averageMs) / slots;
    lane.reservedUntil = Math.max(lane.reservedUntil, now + lane.waiting.length * paceMs) + paceMs;
    return Math.min(Math.max(lane.reservedUntil - now, MIN_DEFERRAL_MS), MAX_DEFERRAL_MS);
  }

  /** Drops the bookkeeping of jobs removed from a lane. */
  function forget(evicted: readonly Job[]): readonly Job[] {
    for (const { key } of evicted) keys.delete(key);
    waiting -= evicted.length;
    return evicted;
  }

  return {
    has: (key) => keys.has(key),

    async admit(job) {
      if (keys.has(job.key)) return;
      const lane = laneOf(job.endpointId);
      const isFull = !hasSlot(lane);
      if (isFull && job.isTimeCritical && hasExtra(lane)) {
        keys.add(job.key);
        void track(runExtra(lane, job));
        return;
      }
      if (!isFull && lane.waiting.length === 0 && lane.running < options.minRunning) {
        keys.add(job.key);
        return track(run(lane, job));
      }
      const added = addWaiting(lane, job);
      runWaiting(lane);
      return added;
    },

    evict(endpointId) {
      const lane = lanes.get(endpointId);
      const evicted = lane?.waiting.filter(({ isUrgent }) => !isUrgent) ?? [];
      lane?.waiting.splice(0, lane.waiting.length, ...lane.waiting.filter(({ isUrgent }) => isUrgent));
      return forget(evicted);
    },

    evictAll: () => forget([...lanes.values()].flatMap((lane) => lane.waiting.splice(0))),

    get waiting() {
      return waiting;
    },

    async close() {
      for (const lane of lanes.values()) forget(lane.waiting.splice(0));
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

// Helpers

interface Lane<Job> {
  running: number;
  /** Jobs in extra slots; not counted in `running`. */
  extra: number;
  readonly waiting: Job[];
  /** Moving average of the duration of its attempts, in ms. */
  averageMs: number;
  /** When the last deferred job would get a slot, in Unix ms. */
  reservedUntil: number;
}

function longestOf<Job>(lanes: Iterable<Lane<Job>>): Lane<Job> | undefined {
  let longest: Lane<Job> | undefined;
  for (const lane of lanes) if (lane.waiting.length > (longest?.waiting.length ?? 0)) longest = lane;
  return longest;
}

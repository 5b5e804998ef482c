/** Work that a process repeats until it stops. */
export interface PollLoop {
  start(): void;
  /** Aborts the signal of the work and resolves when the work in progress has ended. */
  stop(): Promise<void>;
}

export interface PollLoopOptions {
  /**
   * One run. The next one begins `everyMs` after it has ended, with or without an error, or after
   * the number of ms it resolves with.
   */
  readonly work: (stopping: AbortSignal) => Promise<number | void>;
  readonly everyMs: number;
  /** How long after the start the first run begins, in ms; 0 by default. */
  readonly firstAfterMs?: number;
  /** Called with the first of consecutive failures, so that an outage is logged once. */
  readonly onFailure: (error: unknown) => void;
}

/** Runs never overlap. A failed run does not end the loop. */
export function createPollLoop({ work, everyMs, firstAfterMs = 0, onFailure }: PollLoopOptions): PollLoop {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isFailing = false;

  async function run(): Promise<void> {
    let pauseMs = everyMs;
    try {
      pauseMs = (await work(stopping.signal)) ?? everyMs;
      isFailing = false;
    } catch (error) {
      if (!isFailing) onFailure(error);
      isFailing = true;
    }
    schedule(pauseMs);
  }

  function schedule(delayMs: number): void {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      running = run();
    }, delayMs);
  }

  return {
    start: () => schedule(firstAfterMs),
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

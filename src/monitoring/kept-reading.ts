/** Something that costs a question, asked no more often than its answer is worth. */
export interface KeptReading<T> {
  /** The answer, at most `keepMs` old; null when there was none in time. Never rejects. */
  read(): Promise<T | null>;
}

export interface KeptReadingDeps<T> {
  readonly ask: () => Promise<T>;
  /** For how long one answer serves everybody, a missing one too. */
  readonly keepMs: number;
  /** An answer that takes longer counts as none. */
  readonly timeoutMs: number;
  /** A clock that never jumps, in milliseconds. */
  readonly now?: () => number;
}

/** A question nobody answers is given up after this long and asked anew: no statement of this service takes as long. */
export const GIVE_UP_AFTER_MS = 30_000;

/** However many ask at once, and however often: one question is under way at a time. */
export function createKeptReading<T>(deps: KeptReadingDeps<T>): KeptReading<T> {
  const { ask, keepMs, timeoutMs, now = () => performance.now() } = deps;
  let kept: { readonly answer: T | null; readonly until: number } | null = null;
  let asking: { readonly answer: Promise<T | null>; readonly since: number } | null = null;

  function question(): Promise<T | null> {
    if (asking !== null && now() - asking.since < GIVE_UP_AFTER_MS) return asking.answer;
    const answer = Promise.resolve()
      .then(ask)
      // Not being answered is what is told: who asks here wants to know how things are, not why.
      .catch(() => null)
      .then((answered) => {
        if (asking === mine) {
          asking = null;
          kept = { answer: answered, until: now() + keepMs };
        }
        return answered;
      });
    const mine = { answer, since: now() };
    asking = mine;
    return answer;
  }

  return {
    async read() {
      if (kept !== null && now() < kept.until) return kept.answer;
      return within(question(), timeoutMs);
    },
  };
}

// Helpers

/** Null when the time is over first. */
async function within<T>(answer: Promise<T>, timeoutMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs);
  });
  return Promise.race([answer, patience]).finally(() => clearTimeout(timer));
}

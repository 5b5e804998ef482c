import { SECOND_MS } from '../../../../machines/index.ts';
import { TooManyAttempts } from '../../../accounts/index.ts';

/**
 * Limits how many expensive reads run at the same time for one merchant in this process, because
 * they share its database connections with payments. Further ones wait for their turn: several
 * open pages then load later instead of failing.
 */
export interface ReadSlots {
  /** Throws `TooManyAttempts` when too many reads wait, or after `MAX_WAIT_MS`. */
  read<T>(merchantId: string, work: () => Promise<T>): Promise<T>;
  /**
   * The same for each piece, so that a slow download holds no slot. Only the first one throws:
   * later the response has begun. It also throws while `MAX_DOWNLOADS` of the merchant have not
   * ended: each keeps the rows that its reader has not taken.
   */
  stream<T>(merchantId: string, pieces: AsyncGenerator<T>): AsyncGenerator<T>;
}

/** Fewer than the connections of the default pool. */
export const SLOTS_PER_MERCHANT = 4;
/** More than the tabs of a busy shop load simultaneously. */
export const MAX_WAITING = 20;
export const MAX_WAIT_MS = 10 * SECOND_MS;
/** Streams of one merchant at the same time. */
export const MAX_DOWNLOADS = 6;

export function createReadSlots(): ReadSlots {
  const merchants = new Map<string, { running: number; readonly waiting: Set<() => void> }>();

  const downloads = new Map<string, number>();

  async function acquire(merchantId: string, mayReject: boolean): Promise<void> {
    const slots = merchants.get(merchantId) ?? { running: 0, waiting: new Set() };
    merchants.set(merchantId, slots);
    if (slots.running < SLOTS_PER_MERCHANT) {
      slots.running += 1;
      return;
    }
    if (mayReject && slots.waiting.size >= MAX_WAITING) throw tooMany();
    await new Promise<void>((resolve, reject) => {
      const limit = mayReject ? setTimeout(giveUp, MAX_WAIT_MS) : undefined;
      const start = () => {
        clearTimeout(limit);
        resolve();
      };
      function giveUp(): void {
        slots.waiting.delete(start);
        reject(tooMany());
      }
      slots.waiting.add(start);
    });
  }

  /** Passes the slot on to the read that has waited longest. */
  function release(merchantId: string): void {
    const slots = merchants.get(merchantId);
    if (slots === undefined) return;
    const [next] = slots.waiting;
    if (next !== undefined) {
      slots.waiting.delete(next);
      next();
      return;
    }
    slots.running -= 1;
    if (slots.running === 0) merchants.delete(merchantId);
  }

  async function run<T>(merchantId: string, work: () => Promise<T>, mayReject: boolean): Promise<T> {
    await acquire(merchantId, mayReject);
    try {
      return await work();
    } finally {
      release(merchantId);
    }
  }

  return {
    read: (merchantId, work) => run(merchantId, work, true),
    async *stream(merchantId, pieces) {
      const others = downloads.get(merchantId) ?? 0;
      if (others >= MAX_DOWNLOADS) throw tooMany();
      downloads.set(merchantId, others + 1);
      try {
        for (let isFirst = true; ; isFirst = false) {
          const { done, value } = await run(merchantId, () => pieces.next(), isFirst);
          if (done) return;
          yield value;
        }
      } finally {
        const left = (downloads.get(merchantId) ?? 1) - 1;
        if (left > 0) downloads.set(merchantId, left);
        else downloads.delete(merchantId);
        await pieces.return(undefined);
      }
    },
  };
}

// Helpers

/** A read takes seconds at most. */
const RETRY_AFTER_MS = 2 * SECOND_MS;

function tooMany(): TooManyAttempts {
  return new TooManyAttempts(RETRY_AFTER_MS, 'requests');
}

/**
 * A FIFO queue with cheap access at both ends; `Array.shift` moves every element and is slow for
 * long backlogs.
 */
export interface Fifo<T> {
  readonly length: number;
  push(item: T): void;
  /** Puts an item back in front of all others. */
  unshift(item: T): void;
  shift(): T | undefined;
}

/**
 * The array is compacted once this many slots at the front are used and they are at least half of
 * it.
 */
const COMPACT_AFTER_ITEMS = 1_024;

export function createFifo<T>(): Fifo<T> {
  let items: (T | undefined)[] = [];
  let head = 0;
  return {
    get length() {
      return items.length - head;
    },
    push(item) {
      items.push(item);
    },
    unshift(item) {
      if (head === 0) {
        items.unshift(item);
        return;
      }
      head -= 1;
      items[head] = item;
    },
    shift() {
      if (head === items.length) return undefined;
      const item = items[head];
      items[head] = undefined;
      head += 1;
      if (head >= COMPACT_AFTER_ITEMS && head * 2 >= items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
  };
}

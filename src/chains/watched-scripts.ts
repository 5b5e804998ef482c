import { randomInt } from 'node:crypto';
import { TerminalError } from '../errors.ts';

/**
 * Millions of output scripts in a few dozen bytes each, asked by the bytes of a block without making a string of them.
 *
 * The scripts lie one behind the other in one array, each after its length; a second array is an open-addressing table of
 * where they begin. What was added stays. A string set would take three times the memory, and asking it would cost a
 * conversion to hex for every output of every block.
 */
export interface WatchedScripts {
  readonly size: number;
  /** Adds a script in lower-case hex, or any other key, which is then found by `has` only. */
  add(watchKey: string): void;
  has(watchKey: string): boolean;
  /** Whether the bytes from `start` to before `end` are a script that was added. */
  hasBytes(data: Uint8Array, start: number, end: number): boolean;
}

const HEX = /^(?:[0-9a-f]{2})+$/;
/** A length takes one byte; no script that is handed out comes near it. */
const MAX_SCRIPT_BYTES = 255;
const FIRST_SLOTS = 1 << 8;
const FIRST_BYTES = 1 << 12;
/** Places are kept as numbers of 32 bits. */
const MAX_BYTES = 2 ** 32 - 2;
/** Beyond this the table is made twice as large: probes stay short. */
const FULLEST = 0.6;

/** Makes an empty set. `maxBytes` is how much the scripts and their lengths may take together; `add` throws beyond it. */
export function createWatchedScripts({ maxBytes = MAX_BYTES }: { readonly maxBytes?: number } = {}): WatchedScripts {
  /** Keys of another form: addresses with a prefix, scripts beyond any standard. */
  const others = new Set<string>();
  const scratch = Buffer.alloc(MAX_SCRIPT_BYTES);
  // Not known to whoever makes scripts, so that none can be made to collide.
  const seed = randomInt(2 ** 32);
  let bytes = new Uint8Array(FIRST_BYTES);
  let usedBytes = 0;
  /** Where a script's length byte is, plus one; 0 is an empty slot. */
  let slots = new Uint32Array(FIRST_SLOTS);
  let count = 0;

  function hashOf(data: Uint8Array, start: number, end: number): number {
    let hash = seed;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (data[at] ?? 0), 0x0100_0193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
    return (hash ^ (hash >>> 13)) >>> 0;
  }

  /** The slot that holds these bytes, or the empty one where they would go. */
  function slotOf(data: Uint8Array, start: number, end: number): number {
    const mask = slots.length - 1;
    for (let slot = hashOf(data, start, end) & mask; ; slot = (slot + 1) & mask) {
      const place = slots[slot] ?? 0;
      if (place === 0 || isAt(place - 1, data, start, end)) return slot;
    }
  }

  function isAt(place: number, data: Uint8Array, start: number, end: number): boolean {
    if (bytes[place] !== end - start) return false;
    for (let at = start, own = place + 1; at < end; at += 1, own += 1) if (bytes[own] !== data[at]) return false;
    return true;
  }

  function makeRoom(length: number): void {
    // Told loudly: a script that is not found is a payment that is not seen.
    if (usedBytes + 1 + length > maxBytes) {
      throw new TerminalError(
        'TOO_MANY_WATCHED_SCRIPTS',
        `One process can watch ${count} scripts of a network and no more; divide the merchants between installations`,
      );
    }
    if (usedBytes + 1 + length > bytes.length) {
      const larger = new Uint8Array(Math.min(bytes.length * 2, maxBytes));
      larger.set(bytes);
      bytes = larger;
    }
    if (count + 1 > slots.length * FULLEST) {
      slots = new Uint32Array(slots.length * 2);
      for (let place = 0; place < usedBytes; place += 1 + (bytes[place] ?? 0)) {
        slots[slotOf(bytes, place + 1, place + 1 + (bytes[place] ?? 0))] = place + 1;
      }
    }
  }

  /** Its length in the scratch buffer; null when it is a key of another form. */
  function toScratch(watchKey: string): number | null {
    if (watchKey.length > MAX_SCRIPT_BYTES * 2 || !HEX.test(watchKey)) return null;
    return scratch.write(watchKey, 'hex');
  }

  return {
    get size() {
      return count + others.size;
    },
    add(watchKey) {
      const length = toScratch(watchKey);
      if (length === null) {
        others.add(watchKey);
        return;
      }
      if (slots[slotOf(scratch, 0, length)] !== 0) return;
      makeRoom(length);
      const slot = slotOf(scratch, 0, length);
      slots[slot] = usedBytes + 1;
      bytes[usedBytes] = length;
      bytes.set(scratch.subarray(0, length), usedBytes + 1);
      usedBytes += 1 + length;
      count += 1;
    },
    has(watchKey) {
      const length = toScratch(watchKey);
      return length === null ? others.has(watchKey) : slots[slotOf(scratch, 0, length)] !== 0;
    },
    hasBytes: (data, start, end) => slots[slotOf(data, start, end)] !== 0,
  };
}

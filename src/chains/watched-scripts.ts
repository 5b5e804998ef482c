import { randomInt } from 'node:crypto';
import { TerminalError } from '../platform/errors.ts';

/**
 * A set of millions of output scripts at a few dozen bytes each, looked up by raw block bytes.
 *
 * One array holds the length-prefixed scripts; a second one is an open-addressing hash table of
 * their offsets. Entries are never removed. A set of strings would need three times the memory and
 * a hex conversion for every output of every block.
 */
export interface WatchedScripts {
  readonly size: number;
  /** Adds a script in lower-case hex, or any other key, which only `has` can then find. */
  add(watchKey: string): void;
  has(watchKey: string): boolean;
  /** Whether the bytes [`start`, `end`) are a script in the set. */
  hasBytes(data: Uint8Array, start: number, end: number): boolean;
}

const HEX = /^(?:[0-9a-f]{2})+$/;
/** The length prefix is one byte; every script used for receiving is far shorter. */
const MAX_SCRIPT_BYTES = 255;
const FIRST_SLOTS = 1 << 8;
const FIRST_BYTES = 1 << 12;
/** Offsets are stored as 32-bit integers. */
const MAX_BYTES = 2 ** 32 - 2;
/** Load factor above which the table doubles, to keep probe sequences short. */
const FULLEST = 0.6;

/**
 * Creates an empty set. `maxBytes` limits the scripts and their length prefixes together; beyond it
 * `add` throws a `TerminalError` `TOO_MANY_WATCHED_SCRIPTS`.
 */
export function createWatchedScripts({ maxBytes = MAX_BYTES }: { readonly maxBytes?: number } = {}): WatchedScripts {
  /** Keys that are not hex or are too long: prefixed addresses, non-standard scripts. */
  const others = new Set<string>();
  const scratch = Buffer.alloc(MAX_SCRIPT_BYTES);
  // Secret and random, so that colliding scripts cannot be crafted.
  const seed = randomInt(2 ** 32);
  let bytes = new Uint8Array(FIRST_BYTES);
  let usedBytes = 0;
  /** Offset of a script's length byte, plus one; 0 marks an empty slot. */
  let slots = new Uint32Array(FIRST_SLOTS);
  let count = 0;

  function hashOf(data: Uint8Array, start: number, end: number): number {
    let hash = seed;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (data[at] ?? 0), 0x0100_0193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
    return (hash ^ (hash >>> 13)) >>> 0;
  }

  /** The slot that holds these bytes, or the empty slot where they would be inserted. */
  function slotOf(data: Uint8Array, start: number, end: number): number {
    const mask = slots.length - 1;
    for (let slot = hashOf(data, start, end) & mask; ; slot = (slot + 1) & mask) {
      const offset = slots[slot] ?? 0;
      if (offset === 0 || isAt(offset - 1, data, start, end)) return slot;
    }
  }

  function isAt(offset: number, data: Uint8Array, start: number, end: number): boolean {
    if (bytes[offset] !== end - start) return false;
    for (let at = start, own = offset + 1; at < end; at += 1, own += 1) if (bytes[own] !== data[at]) return false;
    return true;
  }

  function makeRoom(length: number): void {
    // Fail instead of dropping the script: a script that is not watched is a missed payment.
    if (usedBytes + 1 + length > maxBytes) {
      throw new TerminalError(
        'TOO_MANY_WATCHED_SCRIPTS',
        `One process can watch at most ${count} scripts per network; split the merchants between installations`,
      );
    }
    if (usedBytes + 1 + length > bytes.length) {
      const larger = new Uint8Array(Math.min(bytes.length * 2, maxBytes));
      larger.set(bytes);
      bytes = larger;
    }
    if (count + 1 > slots.length * FULLEST) {
      slots = new Uint32Array(slots.length * 2);
      for (let offset = 0; offset < usedBytes; offset += 1 + (bytes[offset] ?? 0)) {
        slots[slotOf(bytes, offset + 1, offset + 1 + (bytes[offset] ?? 0))] = offset + 1;
      }
    }
  }

  /** Decodes a hex key into the scratch buffer and returns its length; null for other keys. */
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

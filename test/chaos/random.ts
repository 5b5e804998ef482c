import { createHash } from 'node:crypto';

/** Choices that follow from a seed alone. Parts of a run have a stream each, so that one taking more does not move the others. */
export interface Random {
  /** From 0 up to, and without, 1. */
  fraction(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(list: readonly T[]): T[];
  /** Another stream, named. */
  fork(name: string): Random;
}

export function createRandom(seed: number | string): Random {
  let state = createHash('sha256').update(String(seed)).digest().readUInt32LE(0);

  /** Mulberry32: small, and good enough to choose who is killed next. */
  function fraction(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const random: Random = {
    fraction,
    between: (least, most) => least + Math.floor(fraction() * (most - least + 1)),
    chance: (probability) => fraction() < probability,
    pick(from) {
      const picked = from[Math.floor(fraction() * from.length)];
      if (picked === undefined) throw new RangeError('there is nothing to pick from');
      return picked;
    },
    shuffled(list) {
      const rest = [...list];
      return list.flatMap(() => rest.splice(Math.floor(fraction() * rest.length), 1));
    },
    fork: (name) => createRandom(`${seed}/${name}`),
  };
  return random;
}

import { createHash } from 'node:crypto';

/**
 * Choices derived from a seed. Each part of a run has its own stream, so that more draws in one
 * part do not change the others.
 */
export interface Random {
  /** At least 0 and less than 1. */
  fraction(): number;
  /** An integer from `least` to `most`, inclusive. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(list: readonly T[]): T[];
  /** An independent stream with this name. */
  fork(name: string): Random;
}

export function createRandom(seed: number | string): Random {
  let state = createHash('sha256').update(String(seed)).digest().readUInt32LE(0);

  /** Mulberry32: small, and good enough to choose the next process to kill. */
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

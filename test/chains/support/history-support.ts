import type { OutputStatus } from '../../../src/chains/index.ts';

export function isSameLocation(one: OutputStatus, other: OutputStatus): boolean {
  return JSON.stringify(simplify(one)) === JSON.stringify(simplify(other));
}

/** Ignores the reason of `gone`, and reduces `confirmed` to its block. */
export function simplify(status: OutputStatus) {
  if (status.kind === 'gone') return { kind: 'gone' };
  if (status.kind === 'mempool') return { kind: 'mempool' };
  return { kind: 'block', height: status.height, blockHash: status.blockHash };
}

/** A random choice for each index, from one generated number. */
export function bit(pick: number, index: number): boolean {
  return ((pick >> (index % 8)) & 1) === 1;
}

import { TerminalError } from '../errors.ts';
import type { SecretBox } from './box.ts';

export interface Resealed {
  /** Secrets that were sealed with the previous key and are now sealed with the current one. */
  readonly resealed: number;
  /** Secrets that were already sealed with the current key. */
  readonly current: number;
  /** Ids of rows with a secret that neither key opens. */
  readonly unreadable: readonly string[];
}

/**
 * Repeats a pass over all rows until it finds nothing to reseal: a process that still has the
 * previous key may write to a row already done.
 */
export async function resealUntilDone(pass: () => Promise<Resealed>): Promise<Resealed> {
  const first = await pass();
  let { resealed, unreadable } = first;
  for (let found = resealed; found > 0; ) {
    const again = await pass();
    ({ resealed: found, unreadable } = again);
    resealed += found;
  }
  return { resealed, current: first.current, unreadable };
}

/** Null when neither key opens it. */
export function openOrNull(box: SecretBox, sealed: string, context: string): string | null {
  try {
    return box.open(sealed, context);
  } catch (error) {
    if (error instanceof TerminalError && error.code === 'SECRET_UNREADABLE') return null;
    throw error;
  }
}

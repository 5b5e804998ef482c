import type { OutputRecord } from '../context.ts';

/** In the mempool or in a block, and not replaced. */
export function isLive({ presence, superseded }: OutputRecord): boolean {
  return presence !== 'gone' && superseded !== true;
}

import { expect } from 'vitest';
import type { Expected } from './expected.ts';

/** The final state of one payment in the database. */
export interface End extends PublicState {
  readonly paid_base_units: bigint | string;
  readonly outputs: readonly OutputRow[];
  /** The states it went through. */
  readonly path: readonly PublicState[];
}

interface PublicState {
  readonly status: string;
  readonly exception: string | null;
}

interface OutputRow {
  readonly output_id: string;
  readonly txid: string | null;
  readonly status: string;
  readonly amount_base_units: bigint | string;
}

export function expectEnd(title: string, expected: Expected, end: End): void {
  const path = end.path.map(({ status, exception }) => `${status} ${exception ?? ''}`.trim());
  const story = `${title}: ${path.join(' → ')}`;
  expect(wordFor(end), story).toBe(expected.ends);
  expect(BigInt(end.paid_base_units), story).toBe(expected.paidBaseUnits);
  const counted = end.outputs.filter(({ status }) => status !== 'replaced');
  expect(
    counted.map(({ status }) => status),
    story,
  ).toEqual(counted.map(() => 'confirmed'));
  expect(
    counted.reduce((sum, each) => sum + BigInt(each.amount_base_units), 0n),
    story,
  ).toBe(expected.paidBaseUnits);
  // Coins that only a balance shows have no transaction; they are part of the sum.
  const named = expected.found.filter(({ own }) => own.isNamed);
  const byTxid = countsByTxid(end.outputs);
  for (const { txid, amount } of named) if (isNowUnnamed(end.outputs, txid, amount)) byTxid.set(txid, true);
  expect(byTxid, story).toEqual(new Map(named.map(({ txid, counts }) => [txid, counts])));
  if (expected.isSteady) expect(path, story).not.toContainEqual(expect.stringMatching(/^(expired|failed)/));
}

// Helpers

/** Whether any output of each transaction counts: a reorganisation may change output ids. */
function countsByTxid(outputs: readonly OutputRow[]): Map<string, boolean> {
  const counts = new Map<string, boolean>();
  for (const { txid, status } of outputs) {
    if (txid !== null) counts.set(txid, counts.get(txid) === true || status !== 'replaced');
  }
  return counts;
}

/** Whether a block that was traced was read again without traces: only a balance shows it now. */
function isNowUnnamed(outputs: readonly OutputRow[], txid: string, amount: bigint): boolean {
  const isInternal = outputs.some((each) => each.txid === txid && each.output_id.includes(':internal:'));
  const unnamed = outputs.filter((each) => each.txid === null && each.status !== 'replaced');
  return isInternal && unnamed.some((each) => BigInt(each.amount_base_units) >= amount);
}

/**
 * A payment without coins has failed or expired, depending on when its coins were found missing.
 */
function wordFor({ status, exception }: PublicState): string {
  if (status === 'completed') return 'completed';
  if (exception === 'paid_late') return 'paid late';
  return ['expired', 'failed'].includes(status) ? 'unpaid' : status;
}

import type { GoneReason, UnixMs } from '../../../machines/index.ts';
import type { OutputEvent } from './model/model.ts';
import { CLOSES_AT, DUE } from './terms.ts';

/** Test shorthand for observations, with a default for everything an example is not about. */
export interface ReportedOutput {
  /** Name of the output; `a` when the example has only one. */
  readonly id?: string;
  readonly amount?: bigint;
  readonly order: number;
  readonly firstSeenAt?: UnixMs;
  readonly at?: UnixMs;
  readonly height?: number;
  /** The block's branch, of two competing ones. */
  readonly branch?: 'main' | 'fork';
  /** Transaction id, where several outputs share one; else the name of the output. */
  readonly txid?: string;
  /** The coins its transaction spends; shared with no other transaction when left out. */
  readonly spends?: readonly string[];
}

/** One minute before the window closes. */
export const IN_TIME = CLOSES_AT - 60_000;
/** One minute after the window closes, within the six hours. */
export const LATE = CLOSES_AT + 60_000;
export const BLOCK_HEIGHT = 100;

export function seen(reported: ReportedOutput): OutputEvent {
  return { type: 'chain.output_seen', ...sighting(reported) };
}

export function mined(reported: ReportedOutput): OutputEvent {
  return { type: 'chain.output_mined', ...sighting(reported), ...blockOf(reported) };
}

export function confirmed(reported: ReportedOutput): OutputEvent {
  return { type: 'chain.output_confirmed', ...sighting(reported), ...blockOf(reported) };
}

export function dropped(reported: ReportedOutput & { readonly reason?: GoneReason }): OutputEvent {
  return { type: 'chain.output_dropped', ...sighting(reported), reason: reported.reason ?? 'evicted' };
}

// Helpers

function sighting(reported: ReportedOutput) {
  const { id = 'a', txid = id, amount = DUE, order, firstSeenAt = IN_TIME, at = firstSeenAt, spends } = reported;
  const spending = spends === undefined ? {} : { spends };
  return { at, outputId: `${id}:0`, txid, amountBaseUnits: amount.toString(), order, firstSeenAt, ...spending };
}

function blockOf({ height = BLOCK_HEIGHT, branch = 'main' }: ReportedOutput) {
  return { height, blockHash: `${branch}-${height}` };
}

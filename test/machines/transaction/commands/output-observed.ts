import type { ActorRun } from '../actor-run.ts';
import { slotName } from '../arbitraries.ts';
import type { LedgerModel } from '../model.ts';
import { type ReportedOutput, seen } from '../observations.ts';
import { observationOf, report, type TransactionCommand } from './command.ts';
import { describeSighting } from './describe.ts';

/** Coins are in the mempool: new ones, or ones that came back from a block. */
export class OutputSeen implements TransactionCommand {
  readonly slot: number;
  readonly reported: Omit<ReportedOutput, 'order' | 'id' | 'amount'>;
  readonly isDelayed: boolean;

  constructor(slot: number, reported: Omit<ReportedOutput, 'order' | 'id' | 'amount'>, isDelayed: boolean) {
    this.slot = slot;
    this.reported = reported;
    this.isDelayed = isDelayed;
  }

  check(): boolean {
    return true;
  }

  run(model: LedgerModel, run: ActorRun): void {
    report(model, run, seen(observationOf(model, this.slot, this.reported)), this.isDelayed);
  }

  toString(): string {
    return `OutputSeen(${slotName(this.slot)}${describeSighting(this.reported, this.isDelayed)})`;
  }
}

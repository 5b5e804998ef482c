import type { ActorRun } from '../actor-run.ts';
import { slotName } from '../arbitraries.ts';
import type { LedgerModel } from '../model.ts';
import { confirmed, type ReportedOutput } from '../observations.ts';
import { observationOf, report, type TransactionCommand } from './command.ts';
import { describeSighting } from './describe.ts';

/** Coins are deep in the canonical chain; possibly the first observation of them. */
export class OutputConfirmed implements TransactionCommand {
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
    report(model, run, confirmed(observationOf(model, this.slot, this.reported)), this.isDelayed);
  }

  toString(): string {
    return `OutputConfirmed(${slotName(this.slot)}${describeSighting(this.reported, this.isDelayed)})`;
  }
}

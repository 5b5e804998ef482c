import type { ActorRun } from '../actor-run.ts';
import { slotName } from '../arbitraries.ts';
import type { LedgerModel } from '../model.ts';
import { mined, type ReportedOutput } from '../observations.ts';
import { observationOf, report, type TransactionCommand } from './command.ts';
import { describeSighting } from './describe.ts';

/** Coins are in a block, the first one or another after a reorganisation. */
export class OutputMined implements TransactionCommand {
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
    report(model, run, mined(observationOf(model, this.slot, this.reported)), this.isDelayed);
  }

  toString(): string {
    return `OutputMined(${slotName(this.slot)}${describeSighting(this.reported, this.isDelayed)})`;
  }
}

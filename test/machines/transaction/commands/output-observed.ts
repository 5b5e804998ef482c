import type { ActorRun } from '../actor-run.ts';
import { slotName } from '../model/arbitraries.ts';
import type { LedgerModel, OutputEvent } from '../model/model.ts';
import { confirmed, dropped, mined, type ReportedOutput, seen } from '../observations.ts';
import { observationOf, report, type TransactionCommand } from './command.ts';
import { describeSighting } from './describe.ts';

type Sighting = Omit<ReportedOutput, 'order' | 'id' | 'amount'>;

/** What a watcher can observe of an output, any of which may be its first observation. */
const OBSERVATIONS = {
  /** In the mempool: a new output, or one that came back from a block. */
  OutputSeen: seen,
  /** In a block, the first one or another after a reorganisation. */
  OutputMined: mined,
  /** Deep in the canonical chain. */
  OutputConfirmed: confirmed,
  /** In no block and no mempool. */
  OutputDropped: dropped,
} satisfies Record<string, (reported: ReportedOutput) => OutputEvent>;

export class OutputObserved implements TransactionCommand {
  readonly name: keyof typeof OBSERVATIONS;
  readonly slot: number;
  readonly reported: Sighting;
  readonly isDelayed: boolean;

  constructor(name: keyof typeof OBSERVATIONS, slot: number, reported: Sighting, isDelayed: boolean) {
    this.name = name;
    this.slot = slot;
    this.reported = reported;
    this.isDelayed = isDelayed;
  }

  check(): boolean {
    return true;
  }

  run(model: LedgerModel, run: ActorRun): void {
    const observe = OBSERVATIONS[this.name];
    report(model, run, observe(observationOf(model, this.slot, this.reported)), this.isDelayed);
  }

  toString(): string {
    return `${this.name}(${slotName(this.slot)}${describeSighting(this.reported, this.isDelayed)})`;
  }
}

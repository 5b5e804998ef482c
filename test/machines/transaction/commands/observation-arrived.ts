import type { ActorRun } from '../actor-run.ts';
import type { LedgerModel } from '../model/model.ts';
import { accepted, deliver, type TransactionCommand } from './command.ts';

/** A delayed observation arrives, possibly after newer ones of the same output. */
export class ObservationArrived implements TransactionCommand {
  readonly pick: number;

  constructor(pick: number) {
    this.pick = pick;
  }

  check(model: Readonly<LedgerModel>): boolean {
    return model.inProgress.length > 0;
  }

  run(model: LedgerModel, run: ActorRun): void {
    const [observation] = model.inProgress.splice(this.pick % model.inProgress.length, 1);
    if (observation !== undefined) deliver(model, run, accepted(model, observation));
  }

  toString(): string {
    return `ObservationArrived(#${this.pick})`;
  }
}

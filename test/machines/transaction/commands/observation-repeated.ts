import { expect } from 'vitest';
import type { ActorRun } from '../actor-run.ts';
import type { LedgerModel } from '../model/model.ts';
import { accepted, deliver, type TransactionCommand } from './command.ts';

/** An observation is delivered again, however old it is: nothing may change. */
export class ObservationRepeated implements TransactionCommand {
  readonly pick: number;

  constructor(pick: number) {
    this.pick = pick;
  }

  check(model: Readonly<LedgerModel>): boolean {
    return model.delivered.length > 0;
  }

  run(model: LedgerModel, run: ActorRun): void {
    const again = model.delivered[this.pick % model.delivered.length];
    if (again === undefined) return;
    const { before, after, effects } = deliver(model, run, accepted(model, again));
    expect(effects, 'a repeated observation asks for nothing').toEqual([]);
    expect(after, 'a repeated observation changes nothing').toEqual(before);
  }

  toString(): string {
    return `ObservationRepeated(#${this.pick})`;
  }
}

import type { ActorRun } from '../actor-run.ts';
import type { LedgerModel } from '../model/model.ts';
import { deliver, type TransactionCommand } from './command.ts';

/** The address holds less than the known payments add up to. */
export class BalanceDropped implements TransactionCommand {
  readonly missing: bigint;

  constructor(missing: bigint) {
    this.missing = missing;
  }

  check(): boolean {
    return true;
  }

  run(model: LedgerModel, run: ActorRun): void {
    deliver(model, run, {
      type: 'chain.balance_dropped',
      at: model.now,
      missingBaseUnits: this.missing.toString(),
    });
  }

  toString(): string {
    return `BalanceDropped(${this.missing})`;
  }
}

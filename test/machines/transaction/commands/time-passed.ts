import type { LedgerModel } from '../model/model.ts';
import type { TransactionCommand } from './command.ts';

/** Time passes and nothing else happens. */
export class TimePassed implements TransactionCommand {
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }

  check(): boolean {
    return true;
  }

  run(model: LedgerModel): void {
    model.now += this.milliseconds;
  }

  toString(): string {
    return `TimePassed(${this.milliseconds / 1_000} s)`;
  }
}

import type { MerchantEvent } from '../../../../machines/index.ts';
import type { ActorRun } from '../actor-run.ts';
import type { LedgerModel } from '../model/model.ts';
import { deliver, type TransactionCommand } from './command.ts';

type Decision = Exclude<MerchantEvent['type'], 'merchant.settled'>;

/** The merchant makes a decision, whether or not it is offered. */
export class MerchantDecided implements TransactionCommand {
  readonly decision: Decision;

  constructor(decision: Decision) {
    this.decision = decision;
  }

  check(): boolean {
    return true;
  }

  run(model: LedgerModel, run: ActorRun): void {
    deliver(model, run, { type: this.decision, at: model.now, by: 'usr_example' });
  }

  toString(): string {
    return `MerchantDecided(${this.decision})`;
  }
}

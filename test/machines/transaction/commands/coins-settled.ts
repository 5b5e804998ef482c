import { liveOutputs, sumBaseUnits } from '../../../../machines/index.ts';
import type { ActorRun } from '../actor-run.ts';
import type { LedgerModel } from '../model/model.ts';
import { deliver, type TransactionCommand } from './command.ts';

const ENDED_UNPAID: readonly string[] = ['expired.watching', 'failed'];

/**
 * A user settles all coins that are there, or every second one, whatever the payment's state; of a
 * completed payment a surplus, or a loss, as large as the first coin.
 */
export class CoinsSettled implements TransactionCommand {
  readonly every: 1 | 2;

  constructor(every: 1 | 2) {
    this.every = every;
  }

  check(): boolean {
    return true;
  }

  run(model: LedgerModel, run: ActorRun): void {
    const { leaf, context } = run.view();
    const outputIds = liveOutputs(context.outputs)
      .map(({ outputId }) => outputId)
      .filter((_, index) => index % this.every === 0);
    if (ENDED_UNPAID.includes(leaf)) for (const outputId of outputIds) model.settled.add(outputId);
    const sum = sumBaseUnits(context.outputs.slice(0, 1));
    const ofCompleted = this.every === 1 ? { surplusBaseUnits: sum.toString() } : { lossBaseUnits: sum.toString() };
    const isCompleted = leaf === 'completed';
    if (isCompleted && this.every === 1) model.surplusSettled += sum;
    if (isCompleted && this.every === 2) model.lossSettled += sum;
    const settled = { outputIds, ...(isCompleted ? ofCompleted : {}) };
    deliver(model, run, { type: 'merchant.settled', at: model.now, by: 'usr_example', ...settled });
  }

  toString(): string {
    return `CoinsSettled(every ${this.every})`;
  }
}

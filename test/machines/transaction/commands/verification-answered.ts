import type { ActorRun } from '../actor-run.ts';
import type { LedgerModel, OutputEvent } from '../model/model.ts';
import { accepted, deliver, nextOrder, type TransactionCommand } from './command.ts';

export type Answer = 'deep' | 'shallow' | 'gone';

/** The oldest requested verification is answered, with one observation per output. */
export class VerificationAnswered implements TransactionCommand {
  readonly response: Answer;

  constructor(response: Answer) {
    this.response = response;
  }

  check(): boolean {
    return true;
  }

  run(model: LedgerModel, run: ActorRun): void {
    for (const outputId of run.takeVerification() ?? []) {
      const reported = model.delivered.filter((event) => event.outputId === outputId && 'blockHash' in event);
      const last = reported.reduce((best, next) => (next.order > best.order ? next : best));
      deliver(model, run, accepted(model, this.observation(last, nextOrder(model))));
    }
  }

  toString(): string {
    return `VerificationAnswered(${this.response})`;
  }

  private observation(last: OutputEvent, order: number): OutputEvent {
    const { outputId, txid, amountBaseUnits, firstSeenAt, at } = last;
    const sighting = { at, outputId, txid, amountBaseUnits, firstSeenAt, order };
    const block = 'blockHash' in last ? { height: last.height, blockHash: last.blockHash } : null;
    if (this.response === 'gone' || block === null) {
      return { type: 'chain.output_dropped', ...sighting, reason: 'reorged' };
    }
    const type = this.response === 'deep' ? 'chain.output_confirmed' : 'chain.output_mined';
    return { type, ...sighting, ...block };
  }
}

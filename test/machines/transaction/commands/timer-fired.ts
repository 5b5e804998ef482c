import type { TransactionTimer } from '../../../../machines/index.ts';
import type { ActorRun } from '../actor-run.ts';
import type { LedgerModel } from '../model/model.ts';
import { advanceTo, deliver, type TransactionCommand } from './command.ts';

export type ClockTimer = Exclude<TransactionTimer, 'depth_reached'>;

/**
 * A clock timer fires: the running one, or one that was moved or cancelled while its event was in
 * flight.
 */
export class TimerFired implements TransactionCommand {
  readonly timer: ClockTimer;
  /** Null for the running timer, else an index into all timers of that name that were ever set. */
  readonly stale: number | null;

  constructor(timer: ClockTimer, stale: number | null) {
    this.timer = timer;
    this.stale = stale;
  }

  check(): boolean {
    return true;
  }

  run(model: LedgerModel, run: ActorRun): void {
    const everSet = run.timersEverSet.filter(({ timer }) => timer === this.timer);
    const setting = this.stale === null ? run.timers.get(this.timer) : everSet[this.stale % everSet.length];
    if (setting === undefined) return;
    const at = advanceTo(model, setting.at);
    deliver(model, run, { type: `timer.${this.timer}`, at, dueAt: setting.at });
  }

  toString(): string {
    return `TimerFired(${this.timer}${this.stale === null ? '' : `, stale #${this.stale}`})`;
  }
}

import type { ActorRun } from '../actor-run.ts';
import type { LedgerModel } from '../model/model.ts';
import { deliver, type TransactionCommand } from './command.ts';

/** The chain reaches the awaited height, or one that was awaited earlier. */
export class DepthReached implements TransactionCommand {
  readonly stale: number | null;

  constructor(stale: number | null) {
    this.stale = stale;
  }

  check(): boolean {
    return true;
  }

  run(model: LedgerModel, run: ActorRun): void {
    const everSet = run.timersEverSet.filter(({ timer }) => timer === 'depth_reached');
    const setting = this.stale === null ? run.timers.get('depth_reached') : everSet[this.stale % everSet.length];
    if (setting === undefined) return;
    deliver(model, run, { type: 'timer.depth_reached', at: model.now, height: setting.at });
  }

  toString(): string {
    return `DepthReached(${this.stale === null ? 'now' : `stale #${this.stale}`})`;
  }
}

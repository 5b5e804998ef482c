import type { Random } from '../random.ts';
import type { Stage } from '../stage/stage.ts';
import type { FaultName } from './names.ts';

/** Something that goes wrong for a while. */
export interface Fault {
  readonly name: FaultName;
  /** Lets it go wrong; answers what went wrong, in words, and what mends it. */
  begin(stage: Stage, random: Random): Promise<Trouble>;
  /** Why it is left out on this stage; null when it can happen. Without it, it can anywhere. */
  whyLeftOut?(stage: Stage): string | null;
  /** How long it lasts, least and most. */
  readonly lastsMs: readonly [least: number, most: number];
}

export interface Trouble {
  readonly what: string;
  mend(): Promise<void>;
  /** After `mend`: what the service met of it, in words. */
  effect?(): string;
}

import type { Environment } from '../environment/environment.ts';
import type { Random } from '../random.ts';
import type { FaultName } from './names.ts';

/** A fault that lasts for a while. */
export interface Fault {
  readonly name: FaultName;
  /** Injects the fault; returns a description and the function that repairs it. */
  begin(environment: Environment, random: Random): Promise<Trouble>;
  /** Why it is left out on this environment; null, or no such function, when it can happen. */
  whyLeftOut?(environment: Environment): string | null;
  /** Its duration, least and most. */
  readonly lastsMs: readonly [least: number, most: number];
}

export interface Trouble {
  readonly what: string;
  repair(): Promise<void>;
  /** After `repair`: a description of what the service was exposed to. */
  effect?(): string;
}

import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Connection } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import type { SourceBaseUrls } from '../../rates/index.ts';

/** The finding of a check: a line for the operator, and the remedy when one is needed. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'problem';
  readonly text: string;
  readonly remedy: string | null;
}

/** What checks inspect. Checks are read-only, both here and on the remote side. */
export interface Examined {
  readonly config: Config;
  readonly clock: Clock;
  /**
   * One connection to the database server for all checks; null with the embedded database, and when
   * the server cannot be reached.
   */
  readonly database: () => Promise<Connection | null>;
  /** Aborted when the time limit of the check has passed. */
  readonly signal: AbortSignal;
  /** A silent logger, for parts of the service that require one. */
  readonly log: Log;
  /** Overrides the addresses of rate sources. */
  readonly rateBaseUrls: Partial<SourceBaseUrls>;
}

/** One check of the installation. May return several findings, or none where it does not apply. */
export interface Check {
  readonly name: string;
  run(examined: Examined): Promise<Finding | readonly Finding[] | null>;
}

export function ok(text: string): Finding {
  return { level: 'ok', text, remedy: null };
}

/** It works, but not as it should. */
export function warning(text: string, remedy: string): Finding {
  return { level: 'warning', text, remedy };
}

/** Something does not work, or will lose data. */
export function problem(text: string, remedy: string): Finding {
  return { level: 'problem', text, remedy };
}

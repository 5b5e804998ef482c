import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/index.ts';
import type { Connection } from '../../db/index.ts';
import type { Log } from '../../log.ts';
import type { SourceBaseUrls } from '../../rates/index.ts';

/** What a check found: a line for the operator, and what to do about it when there is something to do. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'problem';
  readonly text: string;
  readonly remedy: string | null;
}

/** What checks look at. They read and change nothing, neither here nor where they ask. */
export interface Examined {
  readonly config: Config;
  readonly clock: Clock;
  /** The database server, connected once for all checks; null with the embedded database, and when it cannot be reached. */
  readonly database: () => Promise<Connection | null>;
  /** Fires when the check has had its time. */
  readonly signal: AbortSignal;
  /** For parts of the service that want one; silent. */
  readonly log: Log;
  /** Other addresses of rate sources than the real ones. */
  readonly rateBaseUrls: Partial<SourceBaseUrls>;
}

/** One question about the installation. May answer several lines, or none where it does not apply. */
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

/** Something does not work, or will lose something. */
export function problem(text: string, remedy: string): Finding {
  return { level: 'problem', text, remedy };
}

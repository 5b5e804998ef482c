import type { Selectable } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../db/index.ts';
import type { ActorEvent } from './types.ts';

/** An actor row, live or archived. */
export type ActorRow = Omit<Selectable<Database['actor']>, 'status'>;

/** One step as stored in the journal. */
export interface JournalEntry {
  readonly sequence: number;
  readonly eventId: string;
  readonly event: ActorEvent;
  readonly outcome: 'started' | 'applied' | 'ignored' | 'failed';
  /** Leaf state after the step. */
  readonly state: string;
  readonly version: string;
  readonly at: UnixMs;
  readonly error: string | null;
}

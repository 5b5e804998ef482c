import type { UnixMs } from '../../../machines/index.ts';
import type { StoredSnapshot } from '../db/index.ts';
import type { ActorEvent } from './types.ts';

/** An actor row, live or archived. */
export interface ActorRow {
  id: string;
  kind: string;
  version: string;
  state: string;
  snapshot: StoredSnapshot;
  sequence: number;
  last_change: number;
  start_key: string | null;
  clock_offset_ms: number;
  created_at: number;
  updated_at: number;
  state_entered_at: number;
}

/** One step as stored in the journal. */
export interface JournalEntry {
  readonly sequence: number;
  readonly eventId: string;
  readonly event: ActorEvent;
  readonly outcome: 'started' | 'applied' | 'ignored' | 'failed';
  readonly state: string;
  readonly version: string;
  readonly at: UnixMs;
  readonly error: string | null;
}

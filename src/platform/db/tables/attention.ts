import type { ColumnType, Generated } from 'kysely';
import type { Mode } from '../../../../machines/index.ts';
import type { BaseUnits, Json, JsonWithDefault, NullableTimestamp, Timestamp } from './columns.ts';

/**
 * An item about a payment that needs a person's attention, or did. Written in the commits of the
 * payment's actor.
 */
export interface AttentionItemTable {
  transaction_id: string;
  kind: 'paid_late' | 'needs_review' | 'coins_lost' | 'underpaid' | 'overpaid' | 'coins_on_closed' | 'unassigned_coins';
  merchant_id: string;
  mode: Mode;
  /** The amount it concerns: received, in excess, or missing; without what was settled before. */
  base_units: BaseUnits;
  /** Ids of the outputs it concerns. */
  output_ids: Json<readonly string[]>;
  /** Incremented whenever the coins it concerns change. */
  revision: Generated<number>;
  /** When it was last opened, in wall-clock time. */
  raised_at: Timestamp;
  /** Null while it is open. */
  settled_at: NullableTimestamp;
  /** Opaque id of the user who settled it; null also when it was resolved automatically. */
  settled_by: string | null;
  /** The note of the last settlement; kept when the item opens again. */
  note: string | null;
  /** Sum of what users have settled. Coins beyond it open the item again. */
  settled_base_units: ColumnType<bigint, string | undefined, string>;
  settled_output_ids: JsonWithDefault<readonly string[]>;
}

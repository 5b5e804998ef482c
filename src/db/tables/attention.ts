import type { Generated } from 'kysely';
import type { BaseUnits, Json, Moment, NullableMoment } from './columns.ts';

/** Something about a payment that a person has to look at, or had to. Written by the commits of the payment's actor. */
export interface AttentionItemTable {
  transaction_id: string;
  kind: 'paid_late' | 'needs_review' | 'underpaid' | 'overpaid' | 'coins_on_closed' | 'unassigned_coins';
  merchant_id: string;
  mode: 'live' | 'test';
  /** The coins it is about: those that came, those that are too many, or those that are missing. */
  base_units: BaseUnits;
  /** Ids of the outputs it is about. New ones open a settled item again. */
  output_ids: Json<readonly string[]>;
  /** Rises with every change of the coins it is about. */
  revision: Generated<number>;
  /** When it was opened last, by the clock on the wall. */
  raised_at: Moment;
  /** Null while it is open. */
  settled_at: NullableMoment;
  /** Who decided or settled it: an opaque user id. Null also when it went away by itself. */
  settled_by: string | null;
  note: string | null;
}

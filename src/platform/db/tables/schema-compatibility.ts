import type { Generated } from 'kysely';
import type { MomentOfInsert } from './columns.ts';

export interface SchemaCompatibilityTable {
  only_row: Generated<boolean>;
  /** The oldest version that can run on this schema. */
  compatible_from: string;
  /** The newest version that changed it. */
  changed_by: string | null;
  changed_at: MomentOfInsert;
}

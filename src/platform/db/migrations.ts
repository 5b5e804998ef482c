import type { SchemaMigrations } from './migrating/types.ts';
import * as initial from './migrations/2026_11_30_0013_initial.ts';

/** In execution order. A released migration is never edited, renamed or removed; forward only. */
export const MIGRATIONS: SchemaMigrations = {
  '2026_11_30_0013_initial': initial,
};

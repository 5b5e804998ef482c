import { ACCOUNT_SETTINGS } from './settings/accounts.ts';
import {
  allNodeSettings,
  evmNodeSettings,
  nodeSettingsOf,
  TEST_MODE_SETTING,
  utxoNodeSettings,
} from './settings/nodes.ts';
import { OUTGOING_SETTINGS } from './settings/outgoing.ts';
import { PROCESS_SETTINGS } from './settings/process.ts';
import { RATE_SETTINGS } from './settings/rates.ts';
import { ARCHIVE_SETTINGS, RETENTION_SETTINGS } from './settings/retention.ts';
import { SERVER_SETTINGS } from './settings/server.ts';
import type { Setting } from './settings/setting.ts';
import { STORAGE_SETTINGS } from './settings/storage.ts';

export type { Setting };
export { evmNodeSettings, nodeSettingsOf, RETENTION_SETTINGS, utxoNodeSettings };

/** Settings other than those of retention and nodes, in the order of the documentation. */
export const SETTINGS = {
  ...SERVER_SETTINGS,
  ...STORAGE_SETTINGS,
  ...RATE_SETTINGS,
  ...OUTGOING_SETTINGS,
  ...ACCOUNT_SETTINGS,
  ...PROCESS_SETTINGS,
  ...ARCHIVE_SETTINGS,
  ...TEST_MODE_SETTING,
} as const;

/** All settings, in the order of the documentation. */
export const ALL_SETTINGS: readonly Setting<unknown>[] = [
  ...Object.values(SETTINGS),
  ...Object.values(RETENTION_SETTINGS),
  ...allNodeSettings(),
];

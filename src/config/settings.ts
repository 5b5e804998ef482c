import { ACCOUNT_SETTINGS } from './settings/accounts.ts';
import { EVM_NODE_SETTINGS, UTXO_NODE_SETTINGS } from './settings/nodes.ts';
import { OUTGOING_SETTINGS } from './settings/outgoing.ts';
import { PROCESS_SETTINGS } from './settings/process.ts';
import { RATE_SETTINGS } from './settings/rates.ts';
import { ARCHIVE_SETTINGS, RETENTION_SETTINGS } from './settings/retention.ts';
import { SERVER_SETTINGS } from './settings/server.ts';
import type { Setting } from './settings/setting.ts';
import { STORAGE_SETTINGS } from './settings/storage.ts';

export type { Setting };
export { EVM_NODE_SETTINGS, RETENTION_SETTINGS, UTXO_NODE_SETTINGS };

/** The settings that every installation has one value of, in the order in which they are documented. */
export const SETTINGS = {
  ...SERVER_SETTINGS,
  ...STORAGE_SETTINGS,
  ...RATE_SETTINGS,
  ...OUTGOING_SETTINGS,
  ...ACCOUNT_SETTINGS,
  ...PROCESS_SETTINGS,
  ...ARCHIVE_SETTINGS,
} as const;

/** All settings, as they are documented. */
export const ALL_SETTINGS: readonly Setting<unknown>[] = [
  ...Object.values(SETTINGS),
  ...Object.values(RETENTION_SETTINGS),
  ...Object.values(UTXO_NODE_SETTINGS).flatMap((node) => Object.values(node)),
  ...Object.values(EVM_NODE_SETTINGS).flatMap((node) => Object.values(node)),
];

import { TEST_MODES } from './config.ts';
import { oneOf } from './parsers.ts';
import { ACCOUNT_SETTINGS } from './settings/accounts.ts';
import { allNodeSettings, evmNodeSettings, nodeSettingsOf, utxoNodeSettings } from './settings/nodes.ts';
import { OUTGOING_SETTINGS } from './settings/outgoing.ts';
import { PROCESS_SETTINGS } from './settings/process.ts';
import { RATE_SETTINGS } from './settings/rates.ts';
import { ARCHIVE_SETTINGS, RETENTION_SETTINGS } from './settings/retention.ts';
import { SERVER_SETTINGS } from './settings/server.ts';
import { type Setting, setting } from './settings/setting.ts';
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
  testMode: setting(
    'TEST_MODE',
    'simulated',
    'Networks of test keys: simulated (built in; needs no node and no wallet), or onchain (test networks of the nodes in ' +
      "the TEST_… settings, with the merchants' own test wallets; such payments count toward the plan).",
    oneOf(TEST_MODES),
  ),
} as const;

/** All settings, in the order of the documentation. */
export const ALL_SETTINGS: readonly Setting<unknown>[] = [
  ...Object.values(SETTINGS),
  ...Object.values(RETENTION_SETTINGS),
  ...allNodeSettings(),
];

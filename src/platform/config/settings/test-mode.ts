import { TEST_MODES } from '../config.ts';
import { oneOf } from '../parsers.ts';
import { setting } from './setting.ts';

/** The networks of test payments. */
export const TEST_MODE_SETTINGS = {
  testMode: setting(
    'TEST_MODE',
    'simulated',
    'Networks of test keys: simulated (built in; needs no node and no wallet), or onchain (test networks of the nodes in ' +
      "the TEST_… settings, with the merchants' own test wallets; such payments count toward the plan).",
    oneOf(TEST_MODES),
  ),
} as const;

import type { Check } from './check.ts';
import { BUS_CHECKS } from './checks/bus.ts';
import { CLOCK_CHECKS } from './checks/clocks.ts';
import { DATABASE_CHECKS } from './checks/database.ts';
import { DATABASE_SETTING_CHECKS } from './checks/database-settings.ts';
import { EVM_CHECKS } from './checks/evm-nodes.ts';
import { MACHINE_CHECKS } from './checks/machine.ts';
import { MAIL_CHECKS } from './checks/mail.ts';
import { NETWORK_CHECKS } from './checks/network.ts';
import { OPERATOR_CHECKS } from './checks/operator.ts';
import { RATE_CHECKS } from './checks/rates.ts';
import { SECRETS_CHECKS } from './checks/secrets.ts';
import { TEST_MODE_CHECKS } from './checks/test-mode.ts';
import { TRACES_CHECKS } from './checks/traces.ts';
import { UTXO_CHECKS } from './checks/utxo-nodes.ts';

/** All checks of `quittance doctor`, in the order of the report. */
export const CHECKS: readonly Check[] = [
  ...MACHINE_CHECKS,
  ...SECRETS_CHECKS,
  ...DATABASE_CHECKS,
  ...DATABASE_SETTING_CHECKS,
  ...CLOCK_CHECKS,
  ...BUS_CHECKS,
  ...UTXO_CHECKS,
  ...EVM_CHECKS,
  ...TEST_MODE_CHECKS,
  ...RATE_CHECKS,
  ...MAIL_CHECKS,
  ...NETWORK_CHECKS,
  ...OPERATOR_CHECKS,
  ...TRACES_CHECKS,
];

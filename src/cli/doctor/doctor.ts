import { systemClock } from '../../platform/clock.ts';
import { ConfigError, type Environment, loadConfig, secretTextsOf } from '../../platform/config/index.ts';
import { scrubText } from '../../platform/log.ts';
import { printResult } from '../print.ts';
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
import { examine } from './examine.ts';
import type { Reported } from './run-checks.ts';

/**
 * `quittance doctor`: reports what works in this installation, what does not, and how to fix it.
 */
export async function doctor({ json }: { readonly json: boolean }): Promise<void> {
  const found = cleaned(await findings(process.env), secretTextsOf(process.env));
  const problems = countOf(found, 'problem');
  const result = { healthy: problems === 0, problems, warnings: countOf(found, 'warning'), findings: found };
  printResult(json, result, () => reportText(found));
  if (problems > 0) process.exitCode = 1;
}

/** Redacts secrets from findings, whichever message they came from. */
export function cleaned(found: readonly Reported[], secrets: readonly string[]): Reported[] {
  const clean = (text: string) => scrubText(secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text));
  return found.map(({ check, level, text, remedy }) => {
    // Remedies are our own text, and a password may be a word that occurs in them.
    return { check, level, text: clean(text), remedy: remedy === null ? null : scrubText(remedy) };
  });
}

/** One line per finding with its remedy below, and totals at the end. */
export function reportText(found: readonly Reported[]): string {
  const width = Math.max(...found.map(({ check }) => check.length));
  const lines = found.flatMap(({ check, level, text, remedy }) => [
    `${level.padEnd(7)}  ${check.padEnd(width)}  ${text}`,
    ...(remedy === null ? [] : [`${' '.repeat(width + 11)}→ ${remedy}`]),
  ]);
  return [...lines, '', summaryOf(found)].join('\n');
}

function countOf(found: readonly Reported[], level: Reported['level']): number {
  return found.filter((each) => each.level === level).length;
}

// Helpers

/** With invalid settings no other check runs, because the intended values are unknown. */
async function findings(env: Environment): Promise<Reported[]> {
  try {
    const config = loadConfig(env);
    const settings = { check: 'settings', level: 'ok', text: 'every setting is valid', remedy: null } as const;
    return [settings, ...(await examine(CHECKS, { config, clock: systemClock }))];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.errors.map((text) => {
      const remedy = 'Correct it and run this again. The other checks run when every setting is valid.';
      return { check: 'settings', level: 'problem', text, remedy };
    });
  }
}

const HIDDEN = '[redacted]';

function summaryOf(found: readonly Reported[]): string {
  const [problems, warnings] = [countOf(found, 'problem'), countOf(found, 'warning')];
  if (problems + warnings === 0) return `All checks passed (${found.length}).`;
  return `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}, ${countOf(found, 'ok')} ok.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** All checks of `quittance doctor`, in the order of the report. */
const CHECKS: readonly Check[] = [
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

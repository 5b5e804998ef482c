import { systemClock } from '../../platform/clock.ts';
import { ConfigError, type Environment, loadConfig, secretTextsOf } from '../../platform/config/index.ts';
import { printResult } from '../print.ts';
import { CHECKS } from './checks.ts';
import { examine } from './examine.ts';
import { cleaned, countOf, reportText } from './report.ts';
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

// Helpers

/** With invalid settings no other check runs, because the intended values are unknown. */
async function findings(env: Environment): Promise<Reported[]> {
  try {
    const config = loadConfig(env);
    const settings = { check: 'settings', level: 'ok', text: 'every setting is valid', remedy: null } as const;
    return [settings, ...(await examine(CHECKS, { config, clock: systemClock }))];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes.map((mistake) => {
      const remedy = 'Correct it and run this again. The other checks run when every setting is valid.';
      return { check: 'settings', level: 'problem', text: mistake, remedy };
    });
  }
}

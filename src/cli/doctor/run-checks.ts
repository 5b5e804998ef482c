import { messageOf } from '../../platform/errors.ts';
import { LATE, within } from '../../platform/within.ts';
import { type Check, type Examined, type Finding, problem } from './check.ts';

/** A finding with the name of its check. */
export interface Reported extends Finding {
  readonly check: string;
}

/** Longer than any single request to a healthy dependency. A check that takes longer has failed. */
const CHECK_TIMEOUT_MS = 10_000;

/**
 * Runs all checks in parallel and in isolation: one that hangs or throws is reported and delays
 * none of the others. Returns findings in the order of the table. Never rejects.
 */
export async function runChecks(
  checks: readonly Check[],
  examined: Omit<Examined, 'signal'>,
  timeoutMs = CHECK_TIMEOUT_MS,
): Promise<Reported[]> {
  const found = await Promise.all(checks.map((check) => runOne(check, examined, timeoutMs)));
  return found.flat();
}

// Helpers

async function runOne(check: Check, examined: Omit<Examined, 'signal'>, timeoutMs: number): Promise<Reported[]> {
  const found = await within({ ms: timeoutMs }, (signal) => check.run({ ...examined, signal })).catch(asFinding);
  const findings = found === LATE ? noResponse(timeoutMs) : (found ?? []);
  return [findings].flat().map((finding) => ({ check: check.name, ...finding }));
}

function noResponse(timeoutMs: number): Finding {
  return problem(
    `no response within ${timeoutMs / 1_000} s`,
    'Check that the service it connects to is reachable and not overloaded.',
  );
}

/** Reports an unexpected error as it is: an unclear line is better than a missing one. */
function asFinding(error: unknown): Finding {
  return problem(`could not be checked: ${messageOf(error)}`, 'Fix the reported error and run this again.');
}

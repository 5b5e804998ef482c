import { messageOf } from '../../errors.ts';
import { type Check, type Examined, type Finding, problem } from './check.ts';

/** A finding under the name of its check. */
export interface Reported extends Finding {
  readonly check: string;
}

/** Longer than any single question to a healthy dependency; a check that hangs is one that failed. */
const CHECK_TIMEOUT_MS = 10_000;

/**
 * Runs all checks side by side, each for itself: one that hangs or breaks says so and holds up none of the others. Answers in the
 * order of the table. Never rejects.
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
  const deadline = new AbortController();
  let giveUp: () => void = () => {};
  const expired = new Promise<Finding>((resolve) => {
    giveUp = () => {
      deadline.abort();
      resolve(
        problem(`no answer within ${timeoutMs / 1_000} s`, 'See whether what it asks is overloaded or unreachable.'),
      );
    };
  });
  const timer = setTimeout(giveUp, timeoutMs);
  try {
    const running = check.run({ ...examined, signal: deadline.signal }).catch(asFinding);
    const found = (await Promise.race([running, expired])) ?? [];
    return [found].flat().map((finding) => ({ check: check.name, ...finding }));
  } finally {
    clearTimeout(timer);
  }
}

/** What a check did not expect is told as it is: better an odd line than a missing one. */
function asFinding(error: unknown): Finding {
  return problem(`could not be checked: ${messageOf(error)}`, 'Mend what the message names, and run this again.');
}

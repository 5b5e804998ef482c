import fc from 'fast-check';

/**
 * How properties run in this project. A failing property prints the line that replays it; these
 * environment variables set its values:
 *
 * - `FC_SEED`, `FC_PATH`     the seed and the path of the counterexample
 * - `FC_REPLAY_PATH`         the `replayPath` printed after a list of commands
 * - `FC_RUNS`                number of examples, instead of the test's own, for a long soak
 *
 * Seed and path belong to one property: select it with `-t`.
 */

/** Surrogate code units, which are not characters on their own. */
const SURROGATES = { first: 0xd800, count: 0x800 };
const MAX_CODE_POINT = 0x10ffff;

const anyCharacter = fc.nat({ max: MAX_CODE_POINT - SURROGATES.count }).map(
  (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  (text) => {
    const codePoint = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (codePoint === undefined || String.fromCodePoint(codePoint) !== text) throw new TypeError('not one character');
    return codePoint < SURROGATES.first ? codePoint : codePoint - SURROGATES.count;
  },
);

/** Default time limit of a property; a property that completed no example within it fails. */
export const PROPERTY_TIME_LIMIT_MS = 20_000;

/** Checks a property; throws with the counterexample and the line that replays it. */
export function assertProperty<T>(property: fc.IProperty<T>, parameters: fc.Parameters<T> = {}): void {
  reject(fc.check(property, withDefaults(parameters)));
}

/**
 * `assertProperty` for asynchronous properties. An example that is running when the time is up
 * still completes before the next test begins, and may fail.
 */
export async function assertAsyncProperty<T>(
  property: fc.IAsyncProperty<T>,
  parameters: fc.Parameters<T> = {},
): Promise<void> {
  let last: ReturnType<typeof property.run> | null = null;
  const run = (value: T) => {
    last = property.run(value);
    return last;
  };
  const watched: fc.IAsyncProperty<T> = Object.create(property, { run: { value: run } });
  reject(await fc.check(watched, withDefaults(parameters)));
  const outcome = await (last as ReturnType<typeof property.run> | null);
  if (outcome !== null && 'error' in outcome) throw outcome.error;
}

/** Constraints for `fc.commands`, with a replay path from the environment if there is one. */
export function commandConstraints(maxCommands: number): fc.CommandsContraints {
  const replayPath = process.env.FC_REPLAY_PATH;
  return replayPath === undefined ? { maxCommands, size: 'max' } : { maxCommands, size: 'max', replayPath };
}

/**
 * `fc.string` with the unit `binary`, but without its table of all one million characters, which
 * every process would build.
 */
export function textOfAnyCharacters(constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: anyCharacter });
}

// Helpers

function withDefaults<T>(parameters: fc.Parameters<T>): fc.Parameters<T> {
  const seed = integerFromEnvironment('FC_SEED');
  const numRuns = integerFromEnvironment('FC_RUNS');
  const path = process.env.FC_PATH;
  const isSoak = numRuns !== undefined;
  return {
    ...(isSoak ? {} : { interruptAfterTimeLimit: PROPERTY_TIME_LIMIT_MS }),
    ...parameters,
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path }),
    ...(isSoak ? { numRuns } : {}),
  };
}

function reject<T>(details: fc.RunDetails<T>): void {
  if (!details.failed) {
    if (details.interrupted) reportInterruption(details);
    return;
  }
  const replay = `FC_SEED=${details.seed} FC_PATH='${details.counterexamplePath ?? ''}' npx vitest run <file> -t '<test name>'`;
  throw new Error(`${fc.defaultReportMessage(details)}\n\nReplay with: ${replay}`, { cause: details.errorInstance });
}

/** A slow machine tries fewer examples than requested; Vitest prints how many, with the test. */
function reportInterruption<T>({ numRuns, runConfiguration }: fc.RunDetails<T>): void {
  console.warn(`There was time for ${numRuns} of ${runConfiguration.numRuns ?? 100} examples`);
}

function integerFromEnvironment(name: string): number | undefined {
  const text = process.env[name];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${name} must be a whole number, got "${text}"`);
  return value;
}

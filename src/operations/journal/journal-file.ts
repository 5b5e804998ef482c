import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Database } from '../../platform/db/index.ts';
import { type ActorKind, type KindRegistry, readWithJournal } from '../../platform/engine/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { isRecord } from '../../platform/is-record.ts';
import type { JournalStep, JsonChange, StepDetail } from '../types.ts';
import { actorNotFound, toStep } from './journal.ts';
import { changesBetween } from './json-changes.ts';
import { stepDetailsOf } from './step-details.ts';

const NotNegative = Type.Integer({ minimum: 0 });

/** Maximum number of entries in a file that is read. */
export const MAX_FILE_ENTRIES = 5_000;
/**
 * Maximum length of all folded steps as JSON. Each step contains the whole context, so a small file
 * with a large context would otherwise use up the memory.
 */
const MAX_FOLDED_CHARACTERS = 16 * 1_024 * 1_024;

/**
 * One actor's journal as a file: enough to inspect it without a database and to fold it in a test.
 */
export const JournalFile = Type.Object(
  {
    format: Type.Literal('quittance-journal/1'),
    actorId: Type.String(),
    kind: Type.String(),
    /** Version of the chart that wrote the newest step. */
    version: Type.String(),
    entries: Type.Array(
      Type.Object(
        {
          sequence: Type.Integer({ minimum: 1 }),
          at: NotNegative,
          eventId: Type.String(),
          event: Type.Object({ type: Type.String() }),
          outcome: Type.Enum(['started', 'applied', 'ignored', 'failed']),
          state: Type.String(),
          error: Type.Union([Type.String(), Type.Null()]),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MAX_FILE_ENTRIES },
    ),
    /** The actor's state when the file was written. */
    rests: Type.Object(
      { state: Type.String(), status: Type.String(), context: Type.Unknown() },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type JournalFile = Static<typeof JournalFile>;
/** Compiled, because interpreting the schema of a long file takes 50 times as long. */
const validator = Compile(JournalFile);

/** Writes the journal of one actor as a file. Throws `ACTOR_NOT_FOUND`. */
export async function exportJournal(db: Kysely<Database>, actorId: string): Promise<JournalFile> {
  const found = await readWithJournal(db, actorId);
  if (found === null) throw actorNotFound(actorId);
  const { kind, version, state, snapshot } = found.actor;
  return {
    format: 'quittance-journal/1',
    actorId,
    kind,
    version,
    entries: found.journal.map(({ version: _, ...entry }) => entry),
    rests: { state, status: snapshot.status, context: snapshot.context },
  };
}

export interface OfflineJournal {
  readonly actorId: string;
  readonly kind: string;
  readonly steps: readonly JournalStep[];
  readonly stepDetails: readonly StepDetail[];
  /** The fold of the steps ends in the state recorded in the file. */
  readonly isSound: boolean;
  /** Differences between that fold (`before`) and the state recorded in the file. */
  readonly drift: readonly JsonChange[];
}

/**
 * Reads a journal file and folds it with the charts of this process, without the database. Yields
 * to the event loop after each entry, because payments share it. Rejects with
 * `INVALID_JOURNAL_FILE`, which names the invalid part or says that a chart cannot fold it.
 */
export async function importJournal(kinds: KindRegistry, file: unknown): Promise<OfflineJournal> {
  const { actorId, kind, version, entries, rests } = requireJournalFile(file);
  const chart = kinds.list().some(({ name }) => name === kind) ? kinds.get(kind, version) : null;
  if (chart === null) throw invalid('kind', `is "${kind}", but no chart with that name is registered here`);
  try {
    const stepDetails = await foldInTurns(chart, entries);
    const last = stepDetails.at(-1);
    const isSound = JSON.stringify(sorted(last?.context)) === JSON.stringify(sorted(rests.context));
    const drift = changesBetween(
      { state: last?.step.state, context: last?.context },
      { state: rests.state, context: rests.context },
    );
    const steps = entries.map(toStep);
    return { actorId, kind, steps, stepDetails, isSound: isSound && last?.step.state === rests.state, drift };
  } catch (error) {
    if (error instanceof TerminalError) throw error;
    throw new TerminalError('INVALID_JOURNAL_FILE', `The chart "${kind}" cannot fold the entries`, { cause: error });
  }
}

// Helpers

async function foldInTurns(chart: ActorKind, entries: JournalFile['entries']): Promise<StepDetail[]> {
  const stepDetails: StepDetail[] = [];
  let characters = 0;
  for (const stepDetail of stepDetailsOf(chart, entries)) {
    characters += JSON.stringify(stepDetail).length;
    if (characters > MAX_FOLDED_CHARACTERS) {
      throw invalid('entries', 'take more than 16 MiB together with the context after each; remove the last entries');
    }
    stepDetails.push(stepDetail);
    await nextTurn();
  }
  return stepDetails;
}

function requireJournalFile(file: unknown): JournalFile {
  // Counted first, because validating a file of millions of entries would block the event loop.
  if (isRecord(file) && Array.isArray(file.entries) && file.entries.length > MAX_FILE_ENTRIES) {
    throw invalid('entries', `must have at most ${MAX_FILE_ENTRIES} entries`);
  }
  if (validator.Check(file)) {
    const { entries } = file;
    const misplaced = entries.findIndex(({ sequence }, index) => sequence <= (entries[index - 1]?.sequence ?? 0));
    if (misplaced !== -1)
      throw invalid(`entries.${misplaced}.sequence`, 'must be greater than that of the previous entry');
    if (entries[0]?.outcome !== 'started') throw invalid('entries.0.outcome', 'must be "started"');
    return file;
  }
  const [problem] = validator.Errors(file);
  throw invalid((problem?.instancePath ?? '').slice(1).replaceAll('/', '.'), problem?.message ?? 'is not valid');
}

function invalid(field: string, problem: string): TerminalError {
  return new TerminalError('INVALID_JOURNAL_FILE', `${field === '' ? 'The file' : field} ${problem}`, { field });
}

/** JSON with sorted keys, because databases and editors change their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

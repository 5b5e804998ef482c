import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../db/index.ts';
import { TerminalError } from '../../errors.ts';
import type { ActorKind } from '../types.ts';
import { nextIds, readCandidates } from './candidates.ts';
import { examine, type MigrationComparison } from './examine.ts';
import type { KindRegistry } from './kind-registry.ts';
import { type BatchToMove, type MoveResult, moveBatch } from './move-batch.ts';

export interface MigrateDeps {
  readonly db: Kysely<Database>;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  /** Lets the search for actors take as long as it needs. For commands, never for requests. */
  readonly liftsTimeouts?: boolean;
}

export interface Migration {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
}

/** Migration outcomes of the actors in one state. */
export interface StateReport {
  readonly state: string;
  readonly same: number;
  readonly differs: number;
  readonly fails: number;
}

/** Result of a migration dry run. Nothing was changed. */
export interface DryRun {
  readonly states: readonly StateReport[];
  /**
   * Each kind of difference or failure, with the number of actors and some examples. Most frequent
   * first.
   */
  readonly findings: readonly Finding[];
  /** Hash of the two charts and all findings; passing it back confirms exactly these findings. */
  readonly fingerprint: string;
}

interface Finding {
  readonly what: string;
  readonly isFailure: boolean;
  readonly actors: number;
  readonly examples: readonly string[];
}

interface MoveOptions extends Pick<BatchToMove, 'requester' | 'withMove'> {
  readonly agreed?: readonly string[];
  readonly batchActors?: number;
  readonly onBatch?: (soFar: MoveResult) => void;
}

/** Actors per transaction: their rows are locked, and each may have hundreds of steps. */
const BATCH_ACTORS = 100;
const MAX_EXAMPLES = 3;

/**
 * Examines every actor that would be migrated. Reads in batches, so an actor that changes in the
 * meantime is examined as of its batch. Throws `TerminalError` `CHART_VERSION_UNKNOWN`.
 */
export async function dryRunOf(deps: MigrateDeps, requested: Migration): Promise<DryRun> {
  const charts = requireVersions(deps.kinds, requested);
  const states = new Map<string, Record<MigrationComparison['outcome'], number>>();
  const findings = new Map<string, { isFailure: boolean; actors: number; examples: string[] }>();
  for await (const ids of batches(deps, requested)) {
    for (const candidate of await readCandidates(deps.db, { ids, version: requested.from, lock: false })) {
      const verdict = examine(candidate, charts);
      const state = candidate.row.state;
      const counts = states.get(state) ?? { same: 0, differs: 0, fails: 0 };
      counts[verdict.outcome] += 1;
      states.set(state, counts);
      for (const what of findingsOf(verdict)) {
        const finding = findings.get(what) ?? { isFailure: verdict.outcome === 'fails', actors: 0, examples: [] };
        finding.actors += 1;
        if (finding.examples.length < MAX_EXAMPLES) finding.examples.push(candidate.row.id);
        findings.set(what, finding);
      }
    }
  }
  return {
    states: [...states]
      .map(([state, counts]) => ({ state, ...counts }))
      .toSorted((a, b) => (a.state < b.state ? -1 : 1)),
    findings: [...findings]
      .map(([what, finding]) => ({ what, ...finding }))
      .toSorted((a, b) => b.actors - a.actors || (a.what < b.what ? -1 : 1)),
    fingerprint: fingerprintOf(charts, [...findings.keys()]),
  };
}

/**
 * Migrates actors to another version of their chart, each with one journal step, while the service
 * runs. Actors with differences are migrated only if all of them are in `agreed`; failing ones
 * never. Each batch (default: 100 actors) is one transaction: after an interruption, call it again
 * to continue. `onBatch` is called after each. Throws `TerminalError` `CHART_VERSION_UNKNOWN`.
 */
export async function moveActors(
  deps: MigrateDeps,
  requested: Migration,
  options: MoveOptions = {},
): Promise<MoveResult> {
  const { requester, withMove } = options;
  const charts = requireVersions(deps.kinds, requested);
  const agreed = new Set(options.agreed ?? []);
  let soFar: MoveResult = { moved: 0, left: 0 };
  for await (const ids of batches(deps, requested, options.batchActors)) {
    const batch = await moveBatch(deps, { ids, charts, agreed, requester, withMove });
    soFar = { moved: soFar.moved + batch.moved, left: soFar.left + batch.left };
    options.onBatch?.(soFar);
  }
  return soFar;
}

/**
 * The charts of the two versions. Throws `TerminalError` `CHART_VERSION_UNKNOWN` unless this
 * release has both.
 */
export function requireVersions(
  kinds: KindRegistry,
  { kind, from, to }: Migration,
): { from: ActorKind; to: ActorKind } {
  const versions = kinds.versions(kind);
  const find = (version: string): ActorKind => {
    const found = versions.find((each) => each.version === version);
    if (found !== undefined) return found;
    const known = versions.map((each) => each.version).join(', ');
    throw new TerminalError(
      'CHART_VERSION_UNKNOWN',
      known === ''
        ? `There is no chart "${kind}"; list them with "quittance actor versions".`
        : `The chart "${kind}" has no version ${version} in this release, only ${known}.`,
    );
  };
  if (from === to)
    throw new TerminalError('CHART_VERSION_UNKNOWN', 'The two versions are the same; choose a different one.');
  return { from: find(from), to: find(to) };
}

// Helpers

async function* batches(deps: MigrateDeps, { kind, from }: Migration, limit = BATCH_ACTORS): AsyncGenerator<string[]> {
  let after = '';
  for (;;) {
    const ids = await nextIds(deps, { kind, version: from, after, limit });
    const last = ids.at(-1);
    if (last === undefined) return;
    yield ids;
    after = last;
  }
}

function findingsOf(verdict: MigrationComparison): readonly string[] {
  return verdict.outcome === 'fails' ? [verdict.reason] : verdict.differences;
}

function fingerprintOf(charts: { from: ActorKind; to: ActorKind }, findings: readonly string[]): string {
  const hash = createHash('sha256');
  for (const { name, version, machine } of [charts.from, charts.to])
    hash.update(JSON.stringify([name, version, machine.config]));
  return hash.update(JSON.stringify(findings.toSorted())).digest('hex').slice(0, 12);
}

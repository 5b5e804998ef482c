import { sql } from 'kysely';
import {
  countVersions,
  type DryRun,
  dryRunOf,
  type Migration,
  moveActors,
  requireVersions,
} from '../../platform/engine/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { addDone, beginAction, isRejection, REJECTED, readDone, settleAction } from '../actions/action-log.ts';
import { requireReason } from '../actions/operator-events.ts';
import type { Operator } from '../types.ts';
import { leavesOf } from './charts.ts';
import type { OperationsDeps } from './population.ts';

/** A version of a chart, and how many actors run it. */
export interface ChartVersion {
  readonly version: string;
  /**
   * `current`: new actors run it. `kept`: registered for existing actors. `missing`: this release
   * does not have it.
   */
  readonly registered: 'current' | 'kept' | 'missing';
  readonly unfinished: number;
  readonly finished: number;
}

export interface MigrationRequest extends Migration {
  /** Fingerprint of the preview that the operator has read. */
  readonly fingerprint: string;
  readonly reason: string;
  /** Idempotency key of the request. */
  readonly requestId: string;
}

/** What a migration would change. */
export type MigrationPreview = DryRun;

/** More actors take longer than a request should; the command has no limit. */
export const MAX_MIGRATED_ACTORS = 2_000;

/**
 * All versions of a chart that are registered or in use, the current one first. Reads every row of
 * `actor` once. Throws `UNKNOWN_KIND`.
 */
export async function listChartVersions(
  { db, kinds }: Pick<OperationsDeps, 'db' | 'kinds'>,
  kind: string,
): Promise<ChartVersion[]> {
  leavesOf(kinds, kind);
  const counts = (await countVersions(db, kinds)).filter((count) => count.kind === kind);
  const registered = kinds.versions(kind).map(({ version }) => version);
  const unknown = counts.map(({ version }) => version).filter((version) => !registered.includes(version));
  const total = (version: string, status: 'active' | 'done') =>
    counts.reduce((sum, each) => (each.version === version && each.status === status ? sum + each.actors : sum), 0);
  return [...registered.toReversed(), ...new Set(unknown)].map((version) => ({
    version,
    registered: registered.at(-1) === version ? 'current' : registered.includes(version) ? 'kept' : 'missing',
    unfinished: total(version, 'active'),
    finished: total(version, 'done'),
  }));
}

/**
 * What migrating all unfinished actors of a version would change; changes nothing. Throws
 * `CHART_VERSION_UNKNOWN` and `TOO_MANY_ACTORS`.
 */
export async function previewMigration(deps: OperationsDeps, migration: Migration): Promise<MigrationPreview> {
  requireVersions(deps.kinds, migration);
  await requireFew(deps, migration);
  return dryRunOf(deps, migration);
}

/**
 * Migrates all unfinished actors of a version, and records it in the operator log. Actors that
 * cannot be migrated are left as they are. After an interruption, a new preview and request migrate
 * the rest. Throws as `previewMigration` does, `STALE` when the differences are no longer those of
 * the preview, also when a rejected request is repeated, `INVALID_REASON` and `REQUEST_REUSED`.
 */
export async function migrateAsOperator(
  deps: OperationsDeps,
  operator: Operator,
  { fingerprint, reason, requestId, ...migration }: MigrationRequest,
): Promise<void> {
  const { db, clock } = deps;
  const { kind, from, to } = migration;
  const action = {
    requestId,
    who: operator.userId,
    what: 'actors.migrated',
    subjectId: kind,
    details: { from, to, fingerprint },
    reason: requireReason(reason),
  } as const;
  const preview = await previewMigration(deps, migration);
  const { outcome } = await beginAction(db, action, clock.now());
  if (isRejection(outcome)) throw stale();
  if (outcome !== null) return;
  const settle = (result: string) => settleAction(db, requestId, { outcome: result, now: clock.now() });
  if (preview.states.length > 0 && preview.fingerprint !== fingerprint) {
    await settle(`${REJECTED}: the preview is out of date`);
    throw stale();
  }
  const agreed = preview.findings.flatMap(({ what, isFailure }) => (isFailure ? [] : [what]));
  const { left } = await moveActors(deps, migration, {
    agreed,
    requester: { by: operator.userId, reason: action.reason, requestId },
    withMove: (trx, moved) => addDone(trx, requestId, moved),
  });
  await settle(`${await readDone(db, requestId)} migrated, ${left} unchanged`);
}

// Helpers

function stale(): TerminalError {
  const message = 'Actors now differ in other ways than the preview showed: load it again and send a new request.';
  return new TerminalError('STALE', message, { field: 'fingerprint' });
}

async function requireFew({ db }: Pick<OperationsDeps, 'db'>, { kind, from, to }: Migration): Promise<void> {
  const { rows } = await sql<{ actors: number }>`
      select count(*)::int8 as actors from (
        select from actor where kind = ${kind} and version = ${from} and status = 'active'
        limit ${MAX_MIGRATED_ACTORS + 1}
      ) as actor`.execute(db);
  if ((rows[0]?.actors ?? 0) <= MAX_MIGRATED_ACTORS) return;
  throw new TerminalError(
    'TOO_MANY_ACTORS',
    `More than ${MAX_MIGRATED_ACTORS} actors run this version: use the command ` +
      `quittance actor migrate --kind ${kind} --from ${from} --to ${to} --dry-run`,
  );
}

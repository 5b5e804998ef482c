import { systemClock } from '../../platform/clock.ts';
import { type Config, loadConfig, publicUrlOf } from '../../platform/config/index.ts';
import { liftTimeouts } from '../../platform/db/index.ts';
import { countVersions, type DryRun, dryRunOf, type KindRegistry, moveActors } from '../../platform/engine/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { loadSecretKey } from '../../platform/secrets/index.ts';
import { createTokens } from '../../recurring/index.ts';
import { createKinds } from '../../service/kinds.ts';
import { asAuditedAction } from '../audited-action.ts';
import { usage } from '../options.ts';
import { printLine, printResult, tableText } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { ActorValues } from './commands.ts';

/**
 * `quittance actor migrate`: a dry run, or with `--yes` or the fingerprint of a dry run, the
 * migration itself. Throws a `TerminalError` `FINGERPRINT_CHANGED` when the differences are no
 * longer those of the dry run, and `CHART_VERSION_UNKNOWN`.
 */
export async function actorMigrate(requested: ActorValues['migrate']): Promise<void> {
  const { kind, from, to, json, yes, fingerprint } = requested;
  const ways = [requested['dry-run'], yes, fingerprint !== null].filter(Boolean).length;
  if (ways !== 1) throw usage('actor migrate: pass exactly one of --dry-run, --yes and --fingerprint TEXT');
  const config = loadConfig(process.env);
  const kinds = await kindsOf(config);
  await withDatabase(config, async (db) => {
    const deps = { db, kinds, clock: systemClock, liftsTimeouts: true };
    const migration = { kind, from, to };
    const dryRun = yes ? null : await dryRunOf(deps, migration);
    if (requested['dry-run'] && dryRun !== null) return printResult(json, dryRun, () => describe(dryRun));
    if (dryRun !== null && dryRun.fingerprint !== fingerprint) {
      throw new TerminalError(
        'FINGERPRINT_CHANGED',
        `Actors differ in other ways than the dry run reported (the fingerprint is now ${dryRun.fingerprint}): run it again, review it, and ` +
          'pass the new fingerprint. Nothing was changed.',
      );
    }
    const agreed = dryRun?.findings.flatMap(({ what, isFailure }) => (isFailure ? [] : [what])) ?? [];
    const onBatch = ({ moved, left }: { moved: number; left: number }) => {
      if (!json) printLine(`${moved} migrated, ${left} unchanged`);
    };
    const action = {
      command: 'actor migrate',
      what: 'actors.migrated',
      subjectId: kind,
      details: { from, to },
    } as const;
    const done = await asAuditedAction(db, action, () => moveActors(deps, migration, { agreed, onBatch }));
    printResult(json, done, () => `Done: ${done.moved} actors now run version ${to}, ${done.left} are unchanged.`);
  });
}

/** `quittance actor versions`: which versions of each chart are in use. */
export async function actorVersions({ json }: ActorValues['versions']): Promise<void> {
  const config = loadConfig(process.env);
  const kinds = await kindsOf(config);
  const counts = await withDatabase(config, (db) =>
    db.transaction().execute(async (trx) => {
      await liftTimeouts(trx);
      return countVersions(trx, kinds);
    }),
  );
  printResult(json, { versions: counts }, () => {
    if (counts.length === 0) return 'There are no actors.';
    const rows = counts.map((each) => {
      return [each.kind, each.version, each.registered, each.status, each.state, String(each.actors)];
    });
    return tableText(HEADINGS, rows);
  });
}

// Helpers

/** The kinds of actor of this version, as the service builds them with these settings. */
async function kindsOf(config: Config): Promise<KindRegistry> {
  const tokens = createTokens(await loadSecretKey(config));
  return createKinds({ config, clock: systemClock, publicUrl: publicUrlOf(config, config.port), tokens });
}

function describe({ states, findings, fingerprint }: DryRun): string {
  if (states.length === 0) return 'No unfinished actor runs this version.';
  const counts = states.map(({ state, same, differs, fails }) => [state, String(same), String(differs), String(fails)]);
  const found = findings.map(({ what, isFailure, actors, examples }) => {
    return [String(actors), isFailure ? 'fails' : 'differs', what, examples.join(' ')];
  });
  return [
    tableText(['state', 'same', 'differs', 'fails'], counts),
    ...(found.length === 0 ? [] : ['', tableText(['actors', '', 'how', 'for example'], found)]),
    '',
    `Fingerprint: ${fingerprint}. Nothing was changed.`,
  ].join('\n');
}

const HEADINGS = ['chart', 'version', 'registered', 'status', 'state', 'actors'];

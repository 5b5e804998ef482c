import { type Command, defineCommand } from '../command.ts';
import { asText, flag, json, optional, required, type ValuesOfAll } from '../options.ts';

const OPTIONS = {
  versions: { json },
  migrate: {
    kind: required('KIND', 'The chart, such as transaction.', asText),
    from: required('VERSION', 'The version to migrate from.', asText),
    to: required('VERSION', 'The version to migrate to.', asText),
    'dry-run': flag('Replays their journals and reports what would change. Changes nothing.'),
    yes: flag('Migrates the actors without an observable difference.'),
    fingerprint: optional('TEXT', 'From a dry run: also migrates the actors that differ as it reported.', asText, null),
    json,
  },
};

export type ActorValues = ValuesOfAll<typeof OPTIONS>;

export const ACTOR_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'actor versions',
    summary: 'Counts actors by chart, version and state.',
    options: OPTIONS.versions,
    run: async (values) => (await import('./run.ts')).actorVersions(values),
  }),
  defineCommand({
    name: 'actor migrate',
    summary:
      'Migrates unfinished actors to another version of their chart, while the service runs. Use --dry-run first.',
    options: OPTIONS.migrate,
    run: async (values) => (await import('./run.ts')).actorMigrate(values),
  }),
];

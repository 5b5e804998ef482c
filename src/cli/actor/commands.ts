import { type Command, defineCommand } from '../command.ts';
import { asText, flag, optional, required, type ValuesOfAll } from '../options.ts';

const json = flag('Prints JSON for programs instead of text for people.');

const OPTIONS = {
  versions: { json },
  migrate: {
    kind: required('KIND', 'The chart, like transaction.', asText),
    from: required('VERSION', 'The version they run.', asText),
    to: required('VERSION', 'The version they are to run.', asText),
    'dry-run': flag('Reports from their journals what would happen, and changes nothing.'),
    yes: flag('Moves those without an observable difference.'),
    fingerprint: optional(
      'TEXT',
      'Of a dry run: moves those as well that differ in the ways it reported.',
      asText,
      null,
    ),
    json,
  },
};

export type ActorValues = ValuesOfAll<typeof OPTIONS>;

/** The commands about running charts and their versions. */
export const ACTOR_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'actor versions',
    summary: 'How many actors run which version of which chart, by state.',
    options: OPTIONS.versions,
    run: async (values) => (await import('./versions.ts')).actorVersions(values),
  }),
  defineCommand({
    name: 'actor migrate',
    summary: 'Moves unfinished actors to another version of their chart, while the service runs. First with --dry-run.',
    options: OPTIONS.migrate,
    run: async (values) => (await import('./migrate.ts')).actorMigrate(values),
  }),
];

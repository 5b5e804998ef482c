import { type Command, defineCommand } from '../command.ts';
import { flag } from '../options.ts';

/** The command that checks everything the service depends on. */
export const DOCTOR_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'doctor',
    summary: 'Tests every setting and dependency, changes nothing, and prints what to do. Exits with 1 on problems.',
    options: { json: flag('Prints JSON for programs instead of text for people.') },
    run: async (values) => (await import('./doctor.ts')).doctor(values),
  }),
];

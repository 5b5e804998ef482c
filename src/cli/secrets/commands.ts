import { type Command, defineCommand } from '../command.ts';
import { flag } from '../options.ts';

/** The commands about the encryption key of stored secrets. */
export const SECRETS_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'secrets reseal',
    summary: 'Encrypts every stored secret with the present key. Needs SECRETS_KEY_PREVIOUS; twice does no harm.',
    options: { json: flag('Prints JSON for programs instead of text for people.') },
    run: async (values) => (await import('./reseal.ts')).secretsReseal(values),
  }),
];

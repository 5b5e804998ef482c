import { type Command, defineCommand } from '../command.ts';
import { asWholeNumber, flag, optional } from '../options.ts';

/** The commands to run after a backup was restored. */
export const RESTORE_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'restore finish',
    summary: 'After restoring a backup, before the first start: skips addresses, ends sessions, has blocks read again.',
    options: {
      advance: optional(
        'N',
        'Addresses to skip of every wallet; default: twice its busiest hour, for each hour since.',
        asWholeNumber(1, 1_000_000),
        null,
      ),
      json: flag('Prints JSON for programs instead of text for people.'),
    },
    run: async (values) => (await import('./finish.ts')).restoreFinish(values),
  }),
];

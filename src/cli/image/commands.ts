import { type Command, defineCommand } from '../command.ts';
import { flag, operand, type ValuesOfAll } from '../options.ts';

const OPTIONS = {
  remove: {
    image: operand('IMAGE', 'Its address on a page (…/images/ID), or its id alone.'),
    json: flag('Prints JSON for programs instead of text for people.'),
  },
};

export type ImageValues = ValuesOfAll<typeof OPTIONS>;

/** The commands about images that merchants uploaded. */
export const IMAGE_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'image remove',
    summary: 'Takes an image off every page: as the logo of merchants, and from payment links.',
    options: OPTIONS.remove,
    run: async (values) => (await import('./remove.ts')).imageRemove(values),
  }),
];

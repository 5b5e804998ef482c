import { type Command, defineCommand } from '../command.ts';
import { json, operand, type ValuesOfAll } from '../options.ts';

const OPTIONS = {
  remove: {
    image: operand('IMAGE', 'Its URL (…/images/ID), or its id.'),
    json,
  },
};

export type ImageValues = ValuesOfAll<typeof OPTIONS>;

export const IMAGE_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'image remove',
    summary: 'Removes an image from every page: merchant logos and payment links.',
    options: OPTIONS.remove,
    run: async (values) => (await import('./remove.ts')).imageRemove(values),
  }),
];

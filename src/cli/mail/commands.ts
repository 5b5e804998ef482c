import { EMAIL_STATES } from '../../mail/index.ts';
import { type Command, defineCommand } from '../command.ts';
import { asOneOf, asText, asWholeNumber, json, operand, optional, type ValuesOfAll } from '../options.ts';

const MAX_ROWS = 1_000;

const OPTIONS = {
  list: {
    merchant: optional('NAME', 'Only emails of this merchant, as in the provisioning file.', asText, null),
    state: optional('STATE', `Only ${EMAIL_STATES.join(', ')}.`, asOneOf(EMAIL_STATES), null),
    limit: optional('N', 'The maximum number of rows; default 20.', asWholeNumber(1, MAX_ROWS), 20),
    json,
  },
  show: { mail: operand('ID', 'The email id, from "mail list" (eml_...).'), json },
};

export type MailValues = ValuesOfAll<typeof OPTIONS>;

export const MAIL_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'mail list',
    summary: 'Lists emails and their delivery state, newest first.',
    options: OPTIONS.list,
    run: async (values) => (await import('./run.ts')).mailList(values),
  }),
  defineCommand({
    name: 'mail show',
    summary: 'Shows one email. Its content is deleted once it is sent or has failed permanently.',
    options: OPTIONS.show,
    run: async (values) => (await import('./run.ts')).mailShow(values),
  }),
];

import { USER_ROLES } from '../../accounts/index.ts';
import { type Command, defineCommand } from '../command.ts';
import { asOneOf, asText, flag, optional, required, type ValuesOfAll } from '../options.ts';

const json = flag('Prints JSON for programs instead of text for people.');
const email = required('ADDRESS', 'The email address of the login.', asText);

const OPTIONS = {
  list: { merchant: optional('NAME', 'Only those of this merchant.', asText, null), json },
  create: {
    email,
    role: required('ROLE', `${USER_ROLES.join(', ')}; the first two are of a merchant.`, asOneOf(USER_ROLES)),
    merchant: optional('NAME', 'The merchant, as in the provisioning file.', asText, null),
    json,
  },
  disable: { email, json },
  resetPassword: { email, json },
  resetTotp: { email, json },
};

export type UserValues = ValuesOfAll<typeof OPTIONS>;

/** The commands about users who sign in. */
export const USER_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'user list',
    summary: 'Who can sign in, and as what.',
    options: OPTIONS.list,
    run: async (values) => (await import('./list.ts')).userList(values),
  }),
  defineCommand({
    name: 'user create',
    summary: 'Makes a login. Its first password is shown once.',
    options: OPTIONS.create,
    run: async (values) => (await import('./change.ts')).userCreate(values),
  }),
  defineCommand({
    name: 'user disable',
    summary: 'Disables a login and ends its sessions at once.',
    options: OPTIONS.disable,
    run: async (values) => (await import('./change.ts')).userDisable(values),
  }),
  defineCommand({
    name: 'user reset-password',
    summary: 'Sets a new password, which is shown once, and ends the sessions of the login.',
    options: OPTIONS.resetPassword,
    run: async (values) => (await import('./change.ts')).userResetPassword(values),
  }),
  defineCommand({
    name: 'user reset-totp',
    summary: 'Removes a lost authenticator app from a login: it signs in with the password alone.',
    options: OPTIONS.resetTotp,
    run: async (values) => (await import('./change.ts')).userResetTotp(values),
  }),
];

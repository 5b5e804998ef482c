import { USER_ROLES } from '../../accounts/index.ts';
import { type Command, defineCommand } from '../command.ts';
import { asOneOf, asText, json, optional, required, type ValuesOfAll } from '../options.ts';

const email = required('ADDRESS', 'The email address of the user.', asText);

const OPTIONS = {
  list: { merchant: optional('NAME', 'Only users of this merchant.', asText, null), json },
  create: {
    email,
    role: required('ROLE', `${USER_ROLES.join(', ')}; the first two belong to a merchant.`, asOneOf(USER_ROLES)),
    merchant: optional('NAME', 'The merchant, as in the provisioning file.', asText, null),
    json,
  },
  disable: { email, json },
  resetPassword: { email, json },
  resetTotp: { email, json },
};

export type UserValues = ValuesOfAll<typeof OPTIONS>;

export const USER_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'user list',
    summary: 'Lists users and their roles.',
    options: OPTIONS.list,
    run: async (values) => (await import('./run.ts')).userList(values),
  }),
  defineCommand({
    name: 'user create',
    summary: 'Creates a user. The initial password is shown once.',
    options: OPTIONS.create,
    run: async (values) => (await import('./run.ts')).userCreate(values),
  }),
  defineCommand({
    name: 'user disable',
    summary: 'Disables a user and ends their sessions immediately.',
    options: OPTIONS.disable,
    run: async (values) => (await import('./run.ts')).userDisable(values),
  }),
  defineCommand({
    name: 'user reset-password',
    summary: 'Sets a new password, shown once, and ends all sessions of the user.',
    options: OPTIONS.resetPassword,
    run: async (values) => (await import('./run.ts')).userResetPassword(values),
  }),
  defineCommand({
    name: 'user reset-totp',
    summary: 'Removes a lost authenticator app: the user signs in with only the password.',
    options: OPTIONS.resetTotp,
    run: async (values) => (await import('./run.ts')).userResetTotp(values),
  }),
];

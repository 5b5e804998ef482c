import { type Command, defineCommand } from '../command.ts';
import { asText, optional, required, type ValuesOfAll } from '../options.ts';
import { asEndOfDay, tier } from '../plan/readers.ts';

const OPTIONS = {
  approve: {
    merchant: required('NAME', 'The merchant, by its name.', asText),
  },
  plan: {
    merchant: required('NAME', 'The merchant, as in the provisioning file.', asText),
    tier,
    until: optional('DATE', 'Its last day (UTC), like 2027-01-31; without it, it does not end.', asEndOfDay, null),
  },
};

export type MerchantValues = ValuesOfAll<typeof OPTIONS>;

export const MERCHANT_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'merchant approve',
    summary: 'Lets a merchant that signed up send emails to its customers.',
    options: OPTIONS.approve,
    run: async (values) => (await import('./change.ts')).merchantApprove(values),
  }),
  defineCommand({
    name: 'merchant plan',
    summary: 'Gives a merchant a plan, at once and whatever it had.',
    options: OPTIONS.plan,
    run: async (values) => (await import('./change.ts')).merchantPlan(values),
  }),
];

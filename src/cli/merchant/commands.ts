import { type Command, defineCommand } from '../command.ts';
import { asText, merchant, optional, required, type ValuesOfAll } from '../options.ts';
import { asEndOfDay, tier } from '../plan/readers.ts';

const OPTIONS = {
  approve: {
    merchant: required('NAME', 'The name of the merchant.', asText),
  },
  plan: {
    merchant,
    tier,
    until: optional('DATE', 'Its last day (UTC), such as 2027-01-31; unlimited by default.', asEndOfDay, null),
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
    summary: 'Assigns a plan immediately, replacing the current one.',
    options: OPTIONS.plan,
    run: async (values) => (await import('./change.ts')).merchantPlan(values),
  }),
];

import { type Command, defineCommand } from '../command.ts';
import { asWholeNumber, json, optional, type ValuesOfAll } from '../options.ts';
import { asBound, asPriceCents, asYesOrNo, tier } from './readers.ts';

/** More requests than any merchant sends. */
const MAX_REQUESTS = 1_000_000_000;

const OPTIONS = {
  list: { json },
  set: {
    tier,
    monthly: optional('USD', 'Price per month, or "custom".', asPriceCents, null),
    yearly: optional('USD', 'Price per year, or "custom".', asPriceCents, null),
    payments: optional('N', 'Completed payments per month, without simulated ones, or "unlimited".', asBound, null),
    webhooks: optional('N', 'Webhook endpoints, or "unlimited".', asBound, null),
    'ip-whitelist': optional('YES', 'yes or no: whether keys can be restricted to IP addresses.', asYesOrNo, null),
    detailed: optional('YES', 'yes or no: whether itemized payments can be created.', asYesOrNo, null),
    'per-minute': optional('N', 'Requests per minute and key.', asWholeNumber(1, MAX_REQUESTS), null),
    'per-hour': optional('N', 'Requests per hour and key.', asWholeNumber(1, MAX_REQUESTS), null),
    json,
  },
};

export type PlanValues = ValuesOfAll<typeof OPTIONS>;

export const PLAN_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'plan list',
    summary: 'Lists the price and limits of every tier.',
    options: OPTIONS.list,
    run: async (values) => (await import('./run.ts')).planList(values),
  }),
  defineCommand({
    name: 'plan set',
    summary: 'Changes the price and limits of a tier, for all its merchants. Omitted values are unchanged.',
    options: OPTIONS.set,
    run: async (values) => (await import('./run.ts')).planSet(values),
  }),
];

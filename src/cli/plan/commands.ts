import { type Command, defineCommand } from '../command.ts';
import { asWholeNumber, flag, optional, type ValuesOfAll } from '../options.ts';
import { asBound, asPriceCents, asYesOrNo, tier } from './readers.ts';

/** More requests than any merchant sends. */
const MAX_REQUESTS = 1_000_000_000;

const json = flag('Prints JSON for programs instead of text for people.');

const OPTIONS = {
  list: { json },
  set: {
    tier,
    monthly: optional('USD', 'Price of a month, or "custom".', asPriceCents, null),
    yearly: optional('USD', 'Price of 12 months, or "custom".', asPriceCents, null),
    payments: optional('N', 'Completed live payments a month, or "unlimited".', asBound, null),
    webhooks: optional('N', 'Webhook endpoints, or "unlimited".', asBound, null),
    'ip-whitelist': optional('YES', 'yes or no: whether keys can be tied to addresses.', asYesOrNo, null),
    detailed: optional('YES', 'yes or no: whether itemized payments can be created.', asYesOrNo, null),
    'per-minute': optional('N', 'Requests a minute and key.', asWholeNumber(1, MAX_REQUESTS), null),
    'per-hour': optional('N', 'Requests an hour and key.', asWholeNumber(1, MAX_REQUESTS), null),
    json,
  },
};

export type PlanValues = ValuesOfAll<typeof OPTIONS>;

/** The commands about the prices and limits of plans. */
export const PLAN_COMMANDS: readonly Command[] = [
  defineCommand({
    name: 'plan list',
    summary: 'What every tier costs and allows.',
    options: OPTIONS.list,
    run: async (values) => (await import('./list.ts')).planList(values),
  }),
  defineCommand({
    name: 'plan set',
    summary: 'Changes what a tier costs and allows, for all merchants that have it. What is not named stays.',
    options: OPTIONS.set,
    run: async (values) => (await import('./set.ts')).planSet(values),
  }),
];

import { getPlan, type Plan } from '../../billing/index.ts';
import { changePlanAsOperator } from '../../operations/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { newId } from '../../platform/ids.ts';
import { commandAuthor } from '../author.ts';
import { usage } from '../options.ts';
import { printResult } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { PlanValues } from './commands.ts';
import { planJson, plansText } from './list.ts';

/** `quittance plan set`: changes prices and limits of a tier, for every merchant that has it. */
export async function planSet(options: PlanValues['set']): Promise<void> {
  const changes = changesOf(options);
  if (Object.keys(changes).length === 0) throw usage('plan set: pass at least one value to change');
  const plan = await withDatabase(loadConfig(process.env), async (db) => {
    const request = { changes, reason: 'quittance plan set', requestId: newId('req') };
    await changePlanAsOperator({ db, clock: systemClock }, { userId: commandAuthor().who }, options.tier, request);
    return getPlan({ db }, options.tier);
  });
  printResult(options.json, planJson(plan), () => plansText([plan]));
}

// Helpers

function changesOf(options: PlanValues['set']): Partial<Omit<Plan, 'tier'>> {
  const { monthly, yearly, payments, webhooks, detailed } = options;
  const { 'ip-whitelist': ipWhitelist, 'per-minute': perMinute, 'per-hour': perHour } = options;
  return {
    ...(monthly === null ? {} : { monthlyPriceCents: monthly.value }),
    ...(yearly === null ? {} : { yearlyPriceCents: yearly.value }),
    ...(payments === null ? {} : { monthlyTransactionLimit: payments.value }),
    ...(webhooks === null ? {} : { webhookLimit: webhooks.value }),
    ...(ipWhitelist === null ? {} : { ipWhitelist }),
    ...(detailed === null ? {} : { createDetailed: detailed }),
    ...(perMinute === null ? {} : { apiRateLimitPerMinute: perMinute }),
    ...(perHour === null ? {} : { apiRateLimitPerHour: perHour }),
  };
}

import { listPlans } from '../../billing/index.ts';
import { loadConfig } from '../../config/index.ts';
import { printResult } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { PlanValues } from './commands.ts';
import { planJson, plansText } from './show.ts';

/** `quittance plan list`: prices and limits of every tier. */
export async function planList({ json }: PlanValues['list']): Promise<void> {
  const config = loadConfig(process.env);
  const plans = await withDatabase(config, (db) => listPlans({ db, plansEnabled: true }));
  const note = config.plansEnabled
    ? ''
    : '\nPLANS is off: none of this holds, and every merchant has one plan without limits.';
  printResult(
    json,
    { plans_enabled: config.plansEnabled, plans: plans.map(planJson) },
    () => `${plansText(plans)}${note}`,
  );
}

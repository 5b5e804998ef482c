import { getAccount, nextMonthStart } from '../../billing/index.ts';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/index.ts';
import type { CreateDeps, StatsDeps } from '../../payments/index.ts';

export interface StatsBinding extends Pick<Config, 'plansEnabled'> {
  readonly create: Pick<CreateDeps, 'db'>;
  readonly clock: Clock;
}

/** What statistics need: payments know no plans, so what is used of one comes from billing. */
export function createStatsDeps(deps: StatsBinding): StatsDeps {
  return {
    db: deps.create.db,
    async usageOf(merchantId) {
      const { usage } = await getAccount(deps, { merchantId });
      const { monthly_transactions_used: used, monthly_transaction_limit: limit } = usage;
      return { used, limit, resetsAt: nextMonthStart(deps.clock.now()) };
    },
  };
}

import { getAccount, nextMonthStart } from '../../billing/index.ts';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/index.ts';
import type { CreateDeps, StatsDeps } from '../../payments/index.ts';

export interface StatsBinding extends Pick<Config, 'plansEnabled'> {
  readonly create: Pick<CreateDeps, 'db'>;
  readonly clock: Clock;
}

/** Dependencies of the statistics. Payments know no plans, so billing provides the plan usage. */
export function createStatsDeps(deps: StatsBinding): StatsDeps {
  return {
    db: deps.create.db,
    async usageOf(merchantId) {
      const { usage } = await getAccount({ ...deps, db: deps.create.db }, { merchantId });
      const { monthly_transactions_used: used, monthly_transaction_limit: limit } = usage;
      return { used, limit, resetsAt: nextMonthStart(deps.clock.now()) };
    },
  };
}

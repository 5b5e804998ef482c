import { usageOf } from '../billing/index.ts';
import type { CreateDeps, StatsDeps } from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/index.ts';

export interface StatsBinding extends Pick<Config, 'plansEnabled'> {
  readonly create: Pick<CreateDeps, 'db'>;
  readonly clock: Clock;
}

/** Dependencies of the statistics. Payments know no plans, so billing provides the plan usage. */
export function createStatsDeps({ create: { db }, ...deps }: StatsBinding): StatsDeps {
  return { db, usageOf: (merchantId) => usageOf({ ...deps, db }, merchantId) };
}

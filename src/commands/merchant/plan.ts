import type { UnixMs } from '../../../machines/index.ts';
import { assignPlan } from '../../billing/index.ts';
import { loadConfig } from '../../config/index.ts';
import type { PlanTier } from '../../plan-tiers.ts';
import { printLine, timeText } from '../print.ts';
import { withDatabase } from '../with-database.ts';

interface Wanted {
  readonly merchant: string;
  readonly tier: PlanTier;
  /** Null: it does not end. */
  readonly until: UnixMs | null;
}

/** `quittance merchant plan`: gives a merchant a plan, whatever it had. */
export async function merchantPlan({ merchant, tier, until }: Wanted): Promise<void> {
  await withDatabase(loadConfig(process.env), (db) =>
    assignPlan(db, { merchantName: merchant, tier, expiresAt: until }),
  );
  const end = until === null ? 'without end' : `until ${timeText(until)}`;
  printLine(`${merchant} has the ${tier} plan now, ${end}`);
}

import { CHART_VERSIONS } from '../../../machines/index.ts';
import {
  applyPurchases,
  createCompletionCounter,
  createPlanAdmission,
  createScheduleAdmission,
} from '../../billing/index.ts';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/index.ts';
import { createKindRegistry, type KindRegistry } from '../../engine/index.ts';
import { countLinkUses } from '../../links/index.ts';
import { createTransactionKind } from '../../payments/index.ts';
import { announceCompleted, createScheduleKind, settleForgottenPeriods, type Tokens } from '../../recurring/index.ts';
import { createDeliveryKind } from '../../webhooks/index.ts';
import { kindsOfCharts } from './kinds-of-charts.ts';

export interface KindsDeps {
  readonly config: Pick<Config, 'plansEnabled' | 'recurringMaxUnconfirmed'>;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Makes the links in mails to customers. */
  readonly tokens: Tokens;
}

/**
 * What the effects of every chart mean, in every version that is kept. Which charts those are, and which of them new actors run,
 * stands in machines/versions.ts alone; src/engine/DESIGN.md tells when there must be a new version and when an old one may go.
 */
export function createKinds({ config, clock, publicUrl, tokens }: KindsDeps): KindRegistry {
  const transactions = createTransactionKind({
    publicUrl,
    // Counted also while plans are off, so that switching them on finds the month as it was.
    onCompleted: [createCompletionCounter(config), applyPurchases, countLinkUses, settleForgottenPeriods],
    announceCompleted,
    ...(config.plansEnabled ? { admission: createPlanAdmission({ clock }) } : {}),
  });
  const schedules = createScheduleKind({
    publicUrl,
    tokens,
    clock,
    maxUnconfirmed: config.recurringMaxUnconfirmed,
    ...(config.plansEnabled ? { admission: createScheduleAdmission({ clock }) } : {}),
  });
  return createKindRegistry(kindsOfCharts(CHART_VERSIONS, [transactions, createDeliveryKind(), schedules]));
}

import { CHART_VERSIONS } from '../../machines/index.ts';
import {
  applyPurchases,
  createCompletionCounter,
  createPlanAdmission,
  createScheduleAdmission,
} from '../billing/index.ts';
import { countLinkUses } from '../links/index.ts';
import { createTransactionKind } from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/index.ts';
import { type ActorKind, createKindRegistry, type KindRegistry } from '../platform/engine/index.ts';
import { createScheduleKind, notifySchedule, settleForgottenPeriods, type Tokens } from '../recurring/index.ts';
import { createDeliveryKind } from '../webhooks/index.ts';

export interface KindsDeps {
  readonly config: Pick<Config, 'plansEnabled' | 'recurringMaxUnconfirmed'>;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Signs the links in emails to customers. */
  readonly tokens: Tokens;
}

/**
 * The effect handlers of every chart, in every version that is kept. machines/versions.ts alone
 * lists the charts and the version new actors start with; src/platform/engine/DESIGN.md says when a
 * new version is required and when an old one may be removed.
 */
export function createKinds({ config, clock, publicUrl, tokens }: KindsDeps): KindRegistry {
  const transactions = createTransactionKind({
    publicUrl,
    // Counts even while plans are off, so that the month's usage is complete when they are switched
    // on.
    onCompleted: [createCompletionCounter(config), applyPurchases, countLinkUses, settleForgottenPeriods],
    notifySchedule: notifySchedule,
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

/**
 * The kind of each chart, in the order of the charts. Throws when a chart has no kind or a kind has
 * no chart. Otherwise a version that is kept but not run, or run without golden journals, would
 * only be noticed through its actors.
 */
export function kindsOfCharts(
  charts: readonly ActorKind['machine'][],
  kinds: readonly ActorKind[],
): readonly ActorKind[] {
  const unlisted = kinds.find(({ machine }) => !charts.includes(machine));
  if (unlisted !== undefined) {
    throw new Error(
      `Version ${unlisted.version} of the chart "${unlisted.name}" is not in machines/versions.ts: add it`,
    );
  }
  return charts.map((chart) => {
    const kind = kinds.find(({ machine }) => machine === chart);
    if (kind !== undefined) return kind;
    throw new Error(`Version ${chart.version} of the chart "${chart.id}" has no kind: add one to createKinds`);
  });
}

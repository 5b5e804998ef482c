import type { AttentionDesk } from './attention/port.ts';
import type { AuditDesk } from './audit/port.ts';
import type { EndpointsDesk } from './endpoints/port.ts';
import type { KeysDesk } from './keys/port.ts';
import type { LinksDesk } from './links/port.ts';
import type { LiveDesk } from './live/port.ts';
import type { OverviewDesk } from './overview/port.ts';
import type { PaymentDesk } from './payment/port.ts';
import type { PaymentsDesk } from './payments/port.ts';
import type { PlanDesk } from './plan/port.ts';
import type { RecurringDesk } from './recurring/port.ts';
import type { SettingsDesk } from './settings/port.ts';
import type { StatisticsDesk } from './statistics/port.ts';
import type { WalletsDesk } from './wallets/port.ts';

/**
 * The operations of the merchant console. The composition root binds them to the use cases of the
 * features.
 */
export interface Desk {
  readonly payments: PaymentsDesk;
  readonly payment: PaymentDesk;
  readonly attention: AttentionDesk;
  readonly overview: OverviewDesk;
  readonly wallets: WalletsDesk;
  readonly keys: KeysDesk;
  readonly endpoints: EndpointsDesk;
  readonly links: LinksDesk;
  readonly recurring: RecurringDesk;
  readonly statistics: StatisticsDesk;
  readonly plan: PlanDesk;
  readonly settings: SettingsDesk;
  readonly audit: AuditDesk;
  readonly live: LiveDesk;
}

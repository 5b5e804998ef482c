import type { Desk } from '../../../console/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import { bindAttention } from './bind-attention.ts';
import { bindAudit } from './bind-audit.ts';
import { bindEndpoints } from './bind-endpoints.ts';
import { bindKeys } from './bind-keys.ts';
import { bindLinks } from './bind-links.ts';
import { bindLive } from './bind-live.ts';
import { bindOverview } from './bind-overview.ts';
import { bindPayment } from './bind-payment.ts';
import { bindPayments } from './bind-payments.ts';
import { bindPlan } from './bind-plan.ts';
import { bindRecurring } from './bind-recurring.ts';
import { bindSettings } from './bind-settings.ts';
import { bindStatistics } from './bind-statistics.ts';
import { bindWallets } from './bind-wallets.ts';
import type { DeskDeps } from './deps.ts';

/** Binds the merchant console to the use cases of the features. */
export function bindDesk(deps: DeskDeps, notice: Pick<OutageNotice, 'watch'>): Desk {
  return {
    payments: bindPayments(deps, notice),
    payment: bindPayment(deps, notice),
    attention: bindAttention(deps, notice),
    overview: bindOverview(deps, notice),
    wallets: bindWallets(deps, notice),
    keys: bindKeys(deps, notice),
    endpoints: bindEndpoints(deps, notice),
    links: bindLinks(deps, notice),
    recurring: bindRecurring(deps, notice),
    statistics: bindStatistics(deps, notice),
    plan: bindPlan(deps, notice),
    settings: bindSettings(deps, notice),
    audit: bindAudit(deps, notice),
    live: bindLive(deps, notice),
  };
}

import { type ReactElement, useEffect } from 'react';
import type { SignedIn } from '../../http/console/session/schemas.ts';
import { Link } from '../routing/link.tsx';
import type { Match } from '../routing/paths.ts';
import { navigate } from '../routing/router.ts';
import { lazyComponent } from '../ui/lazy-component.ts';
import { homeOf, mayOpen } from './navigation.tsx';
import { Page } from './page.tsx';

// One file of the build each, loaded when the page is first shown.
const AccountPage = lazyComponent(() => import('../pages/account/account.tsx'), 'AccountPage');
const UsersPage = lazyComponent(() => import('../pages/account/users.tsx'), 'UsersPage');
const NeedsAttentionPage = lazyComponent(
  () => import('../pages/merchant/attention/needs-attention.tsx'),
  'NeedsAttentionPage',
);
const AuditPage = lazyComponent(() => import('../pages/merchant/audit/audit.tsx'), 'AuditPage');
const EndpointPage = lazyComponent(() => import('../pages/merchant/endpoints/endpoint.tsx'), 'EndpointPage');
const EndpointsPage = lazyComponent(() => import('../pages/merchant/endpoints/endpoints.tsx'), 'EndpointsPage');
const KeysPage = lazyComponent(() => import('../pages/merchant/keys/keys.tsx'), 'KeysPage');
const LinksPage = lazyComponent(() => import('../pages/merchant/links/links.tsx'), 'LinksPage');
const OverviewPage = lazyComponent(() => import('../pages/merchant/overview/overview.tsx'), 'OverviewPage');
const PaymentPage = lazyComponent(() => import('../pages/merchant/payment/payment.tsx'), 'PaymentPage');
const PaymentsPage = lazyComponent(() => import('../pages/merchant/payments/payments.tsx'), 'PaymentsPage');
const PlanPage = lazyComponent(() => import('../pages/merchant/plan/plan.tsx'), 'PlanPage');
const SchedulePage = lazyComponent(() => import('../pages/merchant/recurring/schedule.tsx'), 'SchedulePage');
const SchedulesPage = lazyComponent(() => import('../pages/merchant/recurring/schedules.tsx'), 'SchedulesPage');
const SettingsPage = lazyComponent(() => import('../pages/merchant/settings/settings.tsx'), 'SettingsPage');
const StatisticsPage = lazyComponent(() => import('../pages/merchant/statistics/statistics.tsx'), 'StatisticsPage');
const WalletsPage = lazyComponent(() => import('../pages/merchant/wallets/wallets.tsx'), 'WalletsPage');
const ActionsPage = lazyComponent(() => import('../pages/operator/actions.tsx'), 'ActionsPage');
const ActorPage = lazyComponent(() => import('../pages/operator/actor/actor.tsx'), 'ActorPage');
const ActorsPage = lazyComponent(() => import('../pages/operator/actors/actors.tsx'), 'ActorsPage');
const ChartPage = lazyComponent(() => import('../pages/operator/charts/chart.tsx'), 'ChartPage');
const ChartsPage = lazyComponent(() => import('../pages/operator/charts/charts.tsx'), 'ChartsPage');
const DeadLettersPage = lazyComponent(
  () => import('../pages/operator/dead-letters/dead-letters.tsx'),
  'DeadLettersPage',
);
const TimersPage = lazyComponent(() => import('../pages/operator/actors/timers.tsx'), 'TimersPage');
const HealthPage = lazyComponent(() => import('../pages/operator/health/health.tsx'), 'HealthPage');
const JournalFilePage = lazyComponent(() => import('../pages/operator/actor/journal-file.tsx'), 'JournalFilePage');
const EmailsPage = lazyComponent(() => import('../pages/operator/emails.tsx'), 'EmailsPage');
const MerchantPage = lazyComponent(() => import('../pages/operator/merchants/merchant.tsx'), 'MerchantPage');
const MerchantsPage = lazyComponent(() => import('../pages/operator/merchants/merchants.tsx'), 'MerchantsPage');
const PlansPage = lazyComponent(() => import('../pages/operator/merchants/plans.tsx'), 'PlansPage');
const RunsPage = lazyComponent(() => import('../pages/operator/runs/runs.tsx'), 'RunsPage');

interface PagesProps {
  readonly user: SignedIn;
  readonly match: Match | null;
}

/** The page at the URL, if the user may see it. */
export function Pages({ user, match }: PagesProps): ReactElement {
  if (match?.page === 'home') return <GoHome user={user} />;
  if (match === null || !mayOpen(user.role, match.page)) return <NoSuchPage user={user} />;
  switch (match.page) {
    case 'account':
      return <AccountPage user={user} />;
    case 'users':
      return <UsersPage user={user} />;
    case 'charts':
      return <ChartsPage />;
    case 'chart':
      return <ChartPage kind={match.params.kind} mayAct={user.role === 'operator'} />;
    case 'actors':
      return <ActorsPage mayAct={user.role === 'operator'} />;
    case 'actor':
      return <ActorPage key={match.params.id} id={match.params.id} mayAct={user.role === 'operator'} />;
    case 'timers':
      return <TimersPage />;
    case 'deadLetters':
      return <DeadLettersPage mayAct={user.role === 'operator'} />;
    case 'mails':
      return <EmailsPage />;
    case 'runs':
      return <RunsPage mayAct={user.role === 'operator'} />;
    case 'health':
      return <HealthPage mayAct={user.role === 'operator'} />;
    case 'merchants':
      return <MerchantsPage mayAct={user.role === 'operator'} />;
    case 'merchant':
      return <MerchantPage key={match.params.id} id={match.params.id} mayAct={user.role === 'operator'} />;
    case 'plans':
      return <PlansPage mayAct={user.role === 'operator'} />;
    case 'actions':
      return <ActionsPage />;
    case 'journalFile':
      return <JournalFilePage />;
    case 'overview':
      return <OverviewPage isOwner={user.role === 'owner'} />;
    case 'needsAttention':
      return <NeedsAttentionPage />;
    case 'payments':
      return <PaymentsPage />;
    case 'payment':
      return <PaymentPage key={match.params.id} id={match.params.id} />;
    case 'links':
      return <LinksPage />;
    case 'schedules':
      return <SchedulesPage />;
    case 'schedule':
      return <SchedulePage key={match.params.id} id={match.params.id} />;
    case 'statistics':
      return <StatisticsPage />;
    case 'endpoints':
      return <EndpointsPage isOwner={user.role === 'owner'} />;
    case 'endpoint':
      return <EndpointPage key={match.params.id} id={match.params.id} isOwner={user.role === 'owner'} />;
    case 'wallets':
      return <WalletsPage isOwner={user.role === 'owner'} />;
    case 'keys':
      return <KeysPage isOwner={user.role === 'owner'} />;
    case 'plan':
      return <PlanPage isOwner={user.role === 'owner'} />;
    case 'settings':
      return <SettingsPage isOwner={user.role === 'owner'} />;
    case 'audit':
      return <AuditPage />;
    case 'setup':
    case 'signIn':
    case 'signUp':
    case 'confirmSignUp':
    case 'forgotten':
    case 'resetPassword':
      // These have no shell around them: see app.tsx.
      return <NoSuchPage user={user} />;
  }
}

// Helpers

function GoHome({ user }: { readonly user: SignedIn }) {
  useEffect(() => navigate(homeOf(user.role), { replaces: true }), [user.role]);
  return null;
}

function NoSuchPage({ user }: { readonly user: SignedIn }) {
  return (
    <Page title="Page not found">
      <p>
        It may have moved, or your role cannot open it. <Link href={homeOf(user.role)}>Go to the overview</Link>
      </p>
    </Page>
  );
}

import { type ReactElement, useEffect } from 'react';
import type { SignedIn } from '../../http/console/session/schemas.ts';
import { Link } from '../routing/link.tsx';
import type { Match } from '../routing/paths.ts';
import { navigate } from '../routing/router.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { lazyComponent } from '../ui/lazy-component.ts';
import { homeOf, mayOpen } from './navigation.tsx';
import { Page } from './page.tsx';

// One file of the build each, loaded when the page is first shown.
const AccountPage = lazyComponent(() => import('../pages/account/account.tsx').then(({ AccountPage }) => AccountPage));
const UsersPage = lazyComponent(() => import('../pages/account/users.tsx').then(({ UsersPage }) => UsersPage));
const NeedsAttentionPage = lazyComponent(() =>
  import('../pages/merchant/attention/needs-attention.tsx').then(({ NeedsAttentionPage }) => NeedsAttentionPage),
);
const AuditPage = lazyComponent(() => import('../pages/merchant/audit/audit.tsx').then(({ AuditPage }) => AuditPage));
const EndpointPage = lazyComponent(() =>
  import('../pages/merchant/endpoints/endpoint.tsx').then(({ EndpointPage }) => EndpointPage),
);
const EndpointsPage = lazyComponent(() =>
  import('../pages/merchant/endpoints/endpoints.tsx').then(({ EndpointsPage }) => EndpointsPage),
);
const KeysPage = lazyComponent(() => import('../pages/merchant/keys/keys.tsx').then(({ KeysPage }) => KeysPage));
const LinksPage = lazyComponent(() => import('../pages/merchant/links/links.tsx').then(({ LinksPage }) => LinksPage));
const OverviewPage = lazyComponent(() =>
  import('../pages/merchant/overview/overview.tsx').then(({ OverviewPage }) => OverviewPage),
);
const PaymentPage = lazyComponent(() =>
  import('../pages/merchant/payment/payment.tsx').then(({ PaymentPage }) => PaymentPage),
);
const PaymentsPage = lazyComponent(() =>
  import('../pages/merchant/payments/payments.tsx').then(({ PaymentsPage }) => PaymentsPage),
);
const PlanPage = lazyComponent(() => import('../pages/merchant/plan/plan.tsx').then(({ PlanPage }) => PlanPage));
const SchedulePage = lazyComponent(() =>
  import('../pages/merchant/recurring/schedule.tsx').then(({ SchedulePage }) => SchedulePage),
);
const SchedulesPage = lazyComponent(() =>
  import('../pages/merchant/recurring/schedules.tsx').then(({ SchedulesPage }) => SchedulesPage),
);
const SettingsPage = lazyComponent(() =>
  import('../pages/merchant/settings/settings.tsx').then(({ SettingsPage }) => SettingsPage),
);
const StatisticsPage = lazyComponent(() =>
  import('../pages/merchant/statistics/statistics.tsx').then(({ StatisticsPage }) => StatisticsPage),
);
const WalletsPage = lazyComponent(() =>
  import('../pages/merchant/wallets/wallets.tsx').then(({ WalletsPage }) => WalletsPage),
);
const ActionsPage = lazyComponent(() => import('../pages/operator/actions.tsx').then(({ ActionsPage }) => ActionsPage));
const ActorPage = lazyComponent(() => import('../pages/operator/actor.tsx').then(({ ActorPage }) => ActorPage));
const ActorsPage = lazyComponent(() => import('../pages/operator/actors.tsx').then(({ ActorsPage }) => ActorsPage));
const ChartPage = lazyComponent(() => import('../pages/operator/chart.tsx').then(({ ChartPage }) => ChartPage));
const ChartsPage = lazyComponent(() => import('../pages/operator/charts.tsx').then(({ ChartsPage }) => ChartsPage));
const DeadLettersPage = lazyComponent(() =>
  import('../pages/operator/dead-letters.tsx').then(({ DeadLettersPage }) => DeadLettersPage),
);
const TimersPage = lazyComponent(() => import('../pages/operator/timers.tsx').then(({ TimersPage }) => TimersPage));
const HealthPage = lazyComponent(() => import('../pages/operator/health.tsx').then(({ HealthPage }) => HealthPage));
const JournalFilePage = lazyComponent(() =>
  import('../pages/operator/journal-file.tsx').then(({ JournalFilePage }) => JournalFilePage),
);
const MailsPage = lazyComponent(() => import('../pages/operator/mails.tsx').then(({ MailsPage }) => MailsPage));
const MerchantPage = lazyComponent(() =>
  import('../pages/operator/merchant.tsx').then(({ MerchantPage }) => MerchantPage),
);
const MerchantsPage = lazyComponent(() =>
  import('../pages/operator/merchants.tsx').then(({ MerchantsPage }) => MerchantsPage),
);
const PlansPage = lazyComponent(() => import('../pages/operator/plans.tsx').then(({ PlansPage }) => PlansPage));
const RunsPage = lazyComponent(() => import('../pages/operator/runs.tsx').then(({ RunsPage }) => RunsPage));

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
      return <MailsPage />;
    case 'runs':
      return <RunsPage mayAct={user.role === 'operator'} />;
    case 'health':
      return <HealthPage />;
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
    <Page title="No such page">
      <EmptyState title="Page not found">
        It may have been moved, or your role does not open it. <Link href={homeOf(user.role)}>Go to the beginning</Link>
      </EmptyState>
    </Page>
  );
}

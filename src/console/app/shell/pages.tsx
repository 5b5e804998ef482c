import { useEffect } from 'react';
import type { SignedIn } from '../../contract/session.ts';
import { AccountPage } from '../pages/account/account.tsx';
import { UsersPage } from '../pages/account/users.tsx';
import { NeedsAttentionPage } from '../pages/merchant/attention/needs-attention.tsx';
import { AuditPage } from '../pages/merchant/audit/audit.tsx';
import { EndpointPage } from '../pages/merchant/endpoints/endpoint.tsx';
import { EndpointsPage } from '../pages/merchant/endpoints/endpoints.tsx';
import { KeysPage } from '../pages/merchant/keys/keys.tsx';
import { LinksPage } from '../pages/merchant/links/links.tsx';
import { OverviewPage } from '../pages/merchant/overview/overview.tsx';
import { PaymentPage } from '../pages/merchant/payment/payment.tsx';
import { PaymentsPage } from '../pages/merchant/payments/payments.tsx';
import { PlanPage } from '../pages/merchant/plan/plan.tsx';
import { SchedulePage } from '../pages/merchant/recurring/schedule.tsx';
import { SchedulesPage } from '../pages/merchant/recurring/schedules.tsx';
import { SettingsPage } from '../pages/merchant/settings/settings.tsx';
import { StatisticsPage } from '../pages/merchant/statistics/statistics.tsx';
import { WalletsPage } from '../pages/merchant/wallets/wallets.tsx';
import { ActionsPage } from '../pages/operator/actions.tsx';
import { ActorPage } from '../pages/operator/actor.tsx';
import { ActorsPage } from '../pages/operator/actors.tsx';
import { ChartPage } from '../pages/operator/chart.tsx';
import { ChartsPage } from '../pages/operator/charts.tsx';
import { DeadLettersPage } from '../pages/operator/dead-letters.tsx';
import { HealthPage } from '../pages/operator/health.tsx';
import { JournalFilePage } from '../pages/operator/journal-file.tsx';
import { MailsPage } from '../pages/operator/mails.tsx';
import { MerchantPage } from '../pages/operator/merchant.tsx';
import { MerchantsPage } from '../pages/operator/merchants.tsx';
import { PlansPage } from '../pages/operator/plans.tsx';
import { RunsPage } from '../pages/operator/runs.tsx';
import { Link } from '../routing/link.tsx';
import type { Match } from '../routing/paths.ts';
import { navigate } from '../routing/router.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { homeOf, mayOpen } from './navigation.tsx';
import { Page } from './page.tsx';

interface PagesProps {
  readonly user: SignedIn;
  readonly match: Match | null;
}

/** The page at the URL, if the user may see it. */
export function Pages({ user, match }: PagesProps) {
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
      return <ChartPage kind={match.params.kind} />;
    case 'actors':
      return <ActorsPage mayAct={user.role === 'operator'} />;
    case 'actor':
      return <ActorPage key={match.params.id} id={match.params.id} mayAct={user.role === 'operator'} />;
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
      <EmptyState title="There is no page at this address">
        It may have been moved, or your role does not open it. <Link href={homeOf(user.role)}>Go to the beginning</Link>
      </EmptyState>
    </Page>
  );
}

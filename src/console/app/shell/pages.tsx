import { useEffect } from 'react';
import type { SignedIn } from '../../contract.ts';
import { AccountPage } from '../pages/account/account.tsx';
import { UsersPage } from '../pages/account/users.tsx';
import { ActorPage } from '../pages/operator/actor.tsx';
import { ActorsPage } from '../pages/operator/actors.tsx';
import { ChartPage } from '../pages/operator/chart.tsx';
import { ChartsPage } from '../pages/operator/charts.tsx';
import { DeadLettersPage } from '../pages/operator/dead-letters.tsx';
import { HealthPage } from '../pages/operator/health.tsx';
import { MailsPage } from '../pages/operator/mails.tsx';
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

/** The page at the address, for those who may see it. */
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

import type { SignedIn } from '../../../http/console/session/schemas.ts';
import { useQuery, useSetQuery } from '../../routing/router.ts';
import { Page } from '../../shell/page.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ROLE_MEANINGS, ROLE_WORDS } from './labels.ts';
import { PasswordForm } from './password-form.tsx';
import { SessionList } from './session-list.tsx';
import { TwoFactor } from './two-factor.tsx';

/** The signed-in user's own account. */
export function AccountPage({ user }: { readonly user: SignedIn }) {
  const shown = useQuery().get('tab') ?? 'overview';
  const setQuery = useSetQuery();
  return (
    <Page title="Account">
      <Tabs
        label="Parts of your account"
        shown={shown}
        show={(tab) => setQuery({ tab: tab === 'overview' ? undefined : tab }, { replaces: true })}
        tabs={[
          { id: 'overview', label: 'Overview', content: <Overview user={user} /> },
          { id: 'password', label: 'Password', content: <PasswordForm user={user} /> },
          { id: 'two-factor', label: 'Two factors', content: <TwoFactor user={user} /> },
          { id: 'sessions', label: 'Sessions', content: <SessionList /> },
        ]}
      />
    </Page>
  );
}

// Helpers

function Overview({ user }: { readonly user: SignedIn }) {
  return (
    <Card className="card-narrow">
      <Facts
        facts={[
          ['E-mail', user.email],
          ['Role', `${ROLE_WORDS[user.role]}: ${ROLE_MEANINGS[user.role]}`],
          ['Account', user.merchant?.name ?? 'The service'],
          ['Second factor', user.hasTotp ? `On, ${user.recoveryCodes} recovery codes left` : 'Off'],
        ]}
      />
    </Card>
  );
}

import type { SignedIn } from '../../../http/console/session/schemas.ts';
import { useEndSession, useSessions } from '../../api/account.ts';
import { useSearchParams, useSetSearchParams } from '../../routing/router.ts';
import { Page } from '../../shell/page.tsx';
import { Await } from '../../ui/await.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, DetailList } from '../../ui/card.tsx';
import { toastError } from '../../ui/problem.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Timestamp } from '../../ui/values/timestamp.tsx';
import { browserName } from './browser-name.ts';
import { ROLE_MEANINGS, ROLE_WORDS } from './labels.ts';
import { PasswordForm } from './password-form.tsx';
import { TwoFactor } from './two-factor.tsx';

export function AccountPage({ user }: { readonly user: SignedIn }) {
  const shown = useSearchParams().get('tab') ?? 'overview';
  const setQuery = useSetSearchParams();
  return (
    <Page title="Account">
      <Tabs
        label="Parts of your account"
        shown={shown}
        show={(tab) => setQuery({ tab: tab === 'overview' ? undefined : tab }, { replaces: true })}
        tabs={[
          { id: 'overview', label: 'Overview', content: <AccountDetails user={user} /> },
          { id: 'password', label: 'Password', content: <PasswordForm user={user} /> },
          { id: 'two-factor', label: 'Two-factor authentication', content: <TwoFactor user={user} /> },
          { id: 'sessions', label: 'Sessions', content: <SessionList /> },
        ]}
      />
    </Page>
  );
}

// Helpers

function AccountDetails({ user }: { readonly user: SignedIn }) {
  return (
    <Card className="card-narrow">
      <DetailList
        items={[
          ['Email', user.email],
          ['Role', `${ROLE_WORDS[user.role]}: ${ROLE_MEANINGS[user.role]}`],
          ['Account', user.merchant?.name ?? 'The service'],
          ['Second factor', user.hasTotp ? `On, ${user.recoveryCodes} recovery codes left` : 'Off'],
        ]}
      />
    </Card>
  );
}

/** The user's sessions, each of which can be signed out from here except the current one. */
function SessionList() {
  const sessions = useSessions();
  const end = useEndSession();
  return (
    <Await query={sessions} label="Loading your sessions">
      {(data) => (
        <Card className="card-narrow card-flush">
          <ul className="lines">
            {data.map((session) => (
              <li key={session.id} className="line">
                <div className="line-main">
                  <p className="wrap">
                    <span title={session.userAgent}>{browserName(session.userAgent)}</span>{' '}
                    {session.isThisOne ? <Badge tone="good">this session</Badge> : null}
                  </p>
                  <p className="soft">
                    since <Timestamp at={session.createdAt} />, last seen <Timestamp at={session.lastSeenAt} />
                  </p>
                </div>
                {session.isThisOne ? null : (
                  <Button
                    variant="quiet"
                    isBusy={end.isPending && end.variables === session.id}
                    onClick={() => end.mutate(session.id, { onError: toastError })}
                  >
                    End session
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Await>
  );
}

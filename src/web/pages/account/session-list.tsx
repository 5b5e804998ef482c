import { useEndSession, useSessions } from '../../api/account.ts';
import { Await } from '../../ui/await.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Moment } from '../../ui/moment.tsx';
import { toastError } from '../../ui/problem.tsx';

/** The user's sessions, each of which can be signed out from here except the current one. */
export function SessionList() {
  const sessions = useSessions();
  const end = useEndSession();
  return (
    <Await query={sessions} label="Fetching your sessions">
      {(data) => (
        <Card className="card-narrow card-flush">
          <ul className="lines">
            {data.map((session) => (
              <li key={session.id} className="line">
                <div className="line-main">
                  <p className="wrap">
                    {session.userAgent === '' ? 'A browser that does not name itself' : session.userAgent}{' '}
                    {session.isThisOne ? <Badge tone="good">this one</Badge> : null}
                  </p>
                  <p className="soft">
                    since <Moment at={session.createdAt} />, last seen <Moment at={session.lastSeenAt} />
                  </p>
                </div>
                {session.isThisOne ? null : (
                  <Button
                    look="quiet"
                    isBusy={end.isPending && end.variables === session.id}
                    onClick={() => end.mutate(session.id, { onError: toastError })}
                  >
                    End it
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

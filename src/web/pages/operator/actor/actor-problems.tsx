import { useState } from 'react';
import type { ActorDetail, DeadLetterInfo } from '../../../../http/console/operator/schemas.ts';
import { useDeadLetters } from '../../../api/operator.ts';
import { Await } from '../../../ui/await.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { durationText } from '../../../ui/values/time-text.ts';
import { TimeSpent } from '../../../ui/values/timestamp.tsx';
import { AutomaticRetry, DeadLetterDialog } from '../dead-letters/dead-letter-dialog.tsx';
import { AlertLines, useResolveDialog } from '../health/alerts.tsx';

interface ActorProblemsProps {
  readonly actor: Pick<ActorDetail, 'id' | 'since' | 'exceededLimitMs' | 'alerts' | 'deadLetters'>;
  /** Observers can read everything and resolve nothing. */
  readonly mayAct: boolean;
}

/** Why an actor is stuck, as far as the service knows; nothing for one without problems. */
export function ActorProblems({ actor, mayAct }: ActorProblemsProps) {
  const { id, since, exceededLimitMs, alerts, deadLetters } = actor;
  const { resolve, isOpen, dialog } = useResolveDialog(mayAct);
  const [opened, setOpened] = useState<DeadLetterInfo | null>(null);
  const isInOrder = exceededLimitMs === null && alerts.length === 0 && deadLetters === 0;
  if (isInOrder && !isOpen && opened === null) return null;
  return (
    <Card title="Problems">
      {exceededLimitMs === null ? null : (
        <p>
          <strong className="bad">Too long in its state</strong>: <TimeSpent since={since} />, usually at most{' '}
          {durationText(exceededLimitMs)}.
        </p>
      )}
      <AlertLines alerts={alerts} resolve={resolve} isOfOneActor />
      {deadLetters === 0 ? null : <DeadLetters actorId={id} mayAct={mayAct} open={setOpened} />}
      {dialog}
      <DeadLetterDialog letter={opened} mayAct={mayAct} close={() => setOpened(null)} />
    </Card>
  );
}

// Helpers

interface DeadLettersProps {
  readonly actorId: string;
  readonly mayAct: boolean;
  open(letter: DeadLetterInfo): void;
}

function DeadLetters({ actorId, mayAct, open }: DeadLettersProps) {
  const deadLetters = useDeadLetters({ actorId });
  return (
    <Await query={deadLetters} label="Loading its dead letters">
      {({ pages }) => (
        <ul className="lines">
          {pages
            .flatMap((page) => page.deadLetters)
            .map((letter) => (
              <li key={letter.id} className="line">
                <div className="line-main">
                  <p>
                    <strong className="bad">Dead letter</strong> of {letter.queue}
                  </p>
                  <p className="wrap">{letter.reason}</p>
                </div>
                <span>
                  {letter.retryAt === null ? null : 'Retried automatically '}
                  <AutomaticRetry letter={letter} />
                </span>
                <Button
                  variant="quiet"
                  aria-label={`${mayAct ? 'Retry' : 'View'} the dead letter of ${letter.queue}: ${letter.reason}`}
                  onClick={() => open(letter)}
                >
                  {mayAct ? 'Retry' : 'View'}
                </Button>
              </li>
            ))}
        </ul>
      )}
    </Await>
  );
}

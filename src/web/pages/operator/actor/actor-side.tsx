import '../../../styles/actor.css';
import type { ActorDetail, TimerInfo } from '../../../../http/console/operator/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card, DetailList } from '../../../ui/card.tsx';
import { ClockIcon } from '../../../ui/icons.tsx';
import { durationText } from '../../../ui/values/time-text.ts';
import { Countdown, Timestamp } from '../../../ui/values/timestamp.tsx';

interface ActorSideProps {
  readonly actor: ActorDetail;
  /** The rest of the page shows an earlier step. */
  readonly isPast: boolean;
}

/** Data that does not depend on the selected step: timers, related actors and figures as of now. */
export function ActorSide({ actor, isPast }: ActorSideProps) {
  const { id, timers, related, clockOffsetMs, deadLetters, merchantId } = actor;
  return (
    <Card>
      <DetailList
        items={[
          ['Chart', `${actor.kind} ${actor.version}`],
          ['Created', <Timestamp key="created" at={actor.createdAt} />],
          ['Steps', actor.steps.toLocaleString('en')],
          ['Merchant', merchantId === null ? '–' : <MerchantLink key="merchant" id={merchantId} />],
          ['Journal', <Soundness key="sound" isSound={actor.isSound} />],
          deadLetters > 0 ? ['Dead letters', <DeadLetters key="letters" actorId={id} count={deadLetters} />] : null,
          clockOffsetMs > 0 ? ['Clock', `${durationText(clockOffsetMs)} ahead`] : null,
        ]}
      />
      <h3 className="side-title">{isPast ? 'Timers now' : 'Timers'}</h3>
      {timers.length === 0 ? <p className="soft">No pending timers.</p> : null}
      <ul className="timers">
        {timers.map((timer) => (
          <li key={timer.name} className="timer">
            <ClockIcon />
            <span className="wrap">{timer.name}</span>
            <Due timer={timer} />
          </li>
        ))}
      </ul>
      {related.length === 0 ? null : (
        <>
          <h3 className="side-title">{isPast ? 'Related now' : 'Related'}</h3>
          <ul className="related">
            {related.map((one) => (
              <li key={one.id}>
                <Badge>{one.kind}</Badge> <Link href={hrefOf('actor', { id: one.id })}>{one.label}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

// Helpers

function Due({ timer }: { readonly timer: TimerInfo }) {
  return (
    <span className="timer-due">
      {timer.firesAt === null ? (
        `at height ${timer.height?.toLocaleString('en') ?? '?'}`
      ) : (
        <Countdown at={timer.firesAt} />
      )}
      {timer.gate === null ? null : <span className="soft"> once {timer.gate} is synced past it</span>}
    </span>
  );
}

function Soundness({ isSound }: { readonly isSound: boolean }) {
  return isSound ? 'consistent with its state' : <Badge tone="bad">differs from its state</Badge>;
}

function DeadLetters({ actorId, count }: { readonly actorId: string; readonly count: number }) {
  return (
    <Link href={hrefOf('deadLetters', {}, { actor: actorId })}>
      <Badge tone="bad">{count}</Badge>
    </Link>
  );
}

function MerchantLink({ id }: { readonly id: string }) {
  return (
    <Link className="mono" href={hrefOf('merchant', { id })}>
      {id}
    </Link>
  );
}

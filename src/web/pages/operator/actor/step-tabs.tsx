import '../../../styles/actor.css';
import type { StepDetail } from '../../../../http/console/operator/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { useSearchParams, useSetSearchParams } from '../../../routing/router.ts';
import { Badge, toneOf } from '../../../ui/badge.tsx';
import { Card, DetailList } from '../../../ui/card.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { Diff } from '../../../ui/values/diff.tsx';
import { CoinContext, JsonTree } from '../../../ui/values/json-tree.tsx';
import { ShortId } from '../../../ui/values/short-id.tsx';
import { FullTimestamp } from '../../../ui/values/timestamp.tsx';

interface StepTabsProps {
  readonly stepDetail: StepDetail;
  /** The next step is still loading. */
  readonly isOld: boolean;
}

/** What one step changed, its effects, and the actor's whole context after it. */
export function StepTabs({ stepDetail, isOld }: StepTabsProps) {
  const shown = useSearchParams().get('tab') ?? 'changes';
  const setQuery = useSetSearchParams();
  const { changes, effects, context, step, byEmail, coin, deliveries } = stepDetail;
  return (
    <Card className={isOld ? 'is-old' : ''}>
      <CoinContext value={coin}>
        <Tabs
          label="About this step"
          shown={shown}
          show={(tab) => setQuery({ tab: tab === 'changes' ? undefined : tab }, { replaces: true })}
          tabs={[
            { id: 'changes', label: `Changes ${changes.length}`, content: <Diff changes={changes} /> },
            { id: 'effects', label: `Effects ${effects.length}`, content: <Effects effects={effects} /> },
            {
              id: 'webhooks',
              label: `Webhooks ${deliveries.length}`,
              content: <Deliveries deliveries={deliveries} />,
            },
            { id: 'context', label: 'Context', content: <JsonTree value={context} /> },
            { id: 'event', label: 'Event', content: <EventOf step={step} byEmail={byEmail} /> },
          ]}
        />
      </CoinContext>
    </Card>
  );
}

export function Effects({ effects }: Pick<StepDetail, 'effects'>) {
  if (effects.length === 0) return <p className="soft">No effects.</p>;
  return (
    <ol className="effects">
      {effects.map((effect, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- effects have no other name
        <li key={index}>
          <code className="effect-type">{effect.type}</code>
          {effect.params === undefined || effect.params === null ? null : <JsonTree value={effect.params} />}
        </li>
      ))}
    </ol>
  );
}

// Helpers

/** Deliveries that this step caused, in their present state. */
function Deliveries({ deliveries }: Pick<StepDetail, 'deliveries'>) {
  if (deliveries.length === 0) return <p className="soft">This step caused no webhooks.</p>;
  return (
    <ul className="related">
      {deliveries.map(({ id, event, state, isOwed }) => (
        <li key={id}>
          <Badge tone={isOwed ? 'quiet' : toneOf(state)}>{isOwed ? 'not sent yet' : state}</Badge>{' '}
          {isOwed ? event : <Link href={hrefOf('actor', { id })}>{event}</Link>} <ShortId id={id} />
        </li>
      ))}
    </ul>
  );
}

function EventOf({ step, byEmail }: Pick<StepDetail, 'step' | 'byEmail'>) {
  return (
    <>
      <DetailList
        items={[
          ['At', <FullTimestamp key="at" at={step.at} isPast />],
          ['Id', <code key="id">{step.eventId}</code>],
          ['Outcome', step.outcome],
          byEmail === null ? null : ['By', byEmail],
        ]}
      />
      <div className="event-body">
        <JsonTree value={step.event} openLevels={3} />
      </div>
    </>
  );
}

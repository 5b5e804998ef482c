import '../../../styles/actor.css';
import type { FoldableChart, TransitionDescription } from '../../../../http/console/contract/charts.ts';
import { transitionsOf } from '../../../chart/folded-step.ts';
import { Card, DetailList } from '../../../ui/card.tsx';

interface PickedProps {
  readonly chart: FoldableChart;
  /** Id of a transition, or of an arrow that represents several. */
  readonly picked: string | null;
}

/** Guards and effects of what is selected, each transition in its own card. */
export function TransitionCard({ chart, picked }: PickedProps) {
  return transitionsOf(picked, chart).map((transition) => (
    <Card
      key={transition.id}
      title={transition.event === 'always' ? 'Taken as soon as its guard is true' : transition.event}
    >
      <TransitionDetails transition={transition} />
    </Card>
  ));
}

/** The same without cards. */
export function PickedTransition({ chart, picked }: PickedProps) {
  return transitionsOf(picked, chart).map((transition) => (
    <TransitionDetails key={transition.id} transition={transition} />
  ));
}

// Helpers

function TransitionDetails({ transition }: { readonly transition: TransitionDescription }) {
  const { event, from, to, guard, actions, order } = transition;
  return (
    <DetailList
      items={[
        ['Event', event === 'always' ? 'none: taken as soon as its guard is true' : event],
        ['From', from === '' ? 'any state' : from],
        ['To', to ?? 'same state'],
        ['Guard', guard ?? 'none'],
        ['Order', `${order + 1}, among the transitions of this event; the first whose guard is true is taken`],
        ['Actions', actions.length === 0 ? 'none' : actions.join(', ')],
      ]}
    />
  );
}

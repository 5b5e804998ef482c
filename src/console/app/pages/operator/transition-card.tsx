import type { TransitionInfo } from '../../../contract/charts.ts';
import { Card, Facts } from '../../ui/card.tsx';

/** Guard and effects of the selected transition. */
export function TransitionCard({ transition }: { readonly transition: TransitionInfo }) {
  return (
    <Card title={transition.event === 'always' ? 'Taken as soon as its guard holds' : transition.event}>
      <TransitionFacts transition={transition} />
    </Card>
  );
}

export function TransitionFacts({ transition }: { readonly transition: TransitionInfo }) {
  const { event, from, to, guard, actions, order } = transition;
  return (
    <Facts
      facts={[
        ['Event', event === 'always' ? 'none: taken as soon as its guard holds' : event],
        ['From', from === '' ? 'any state' : from],
        ['To', to ?? 'stays where it is'],
        ['Guard', guard ?? 'none'],
        ['Place', `${order + 1}, among those of this event; the first whose guard holds is taken`],
        ['Actions', actions.length === 0 ? 'none' : actions.join(', ')],
      ]}
    />
  );
}

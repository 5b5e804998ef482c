import '../../../styles/actor.css';
import { type ReactNode, useSyncExternalStore } from 'react';
import { useLayout } from '../../../api/operator.ts';
import { roomFor } from '../../../chart/view.ts';
import { Card } from '../../../ui/card.tsx';
import { useChartDetail } from '../charts/chart-form.tsx';

interface ActorLayoutProps {
  readonly kind: string;
  readonly notices: ReactNode;
  readonly scrubber: ReactNode;
  readonly chart: ReactNode;
  /** What the shown step changed. */
  readonly changes: ReactNode;
  /** What does not depend on the shown step. */
  readonly side: ReactNode;
  readonly journal: ReactNode;
}

/**
 * The parts of an actor's history: beside the chart where it is readable there, otherwise below it.
 * On a phone the chart is a long list, so what follows the scrubber comes first.
 */
export function ActorLayout({ kind, notices, scrubber, chart, changes, side, journal }: ActorLayoutProps) {
  const detail = useChartDetail();
  const layout = useLayout(kind, detail);
  const chartCard = <Card className="chart-card">{chart}</Card>;
  if (useIsPhone()) {
    return (
      <div className="actor">
        <div className="actor-main">
          {notices}
          {scrubber}
          {journal}
          {changes}
          {side}
          {chartCard}
        </div>
      </div>
    );
  }
  return (
    <div className="actor">
      <div className="actor-main" style={{ flexBasis: roomFor(layout.data, detail === 'states') }}>
        {notices}
        {scrubber}
        {chartCard}
        {changes}
      </div>
      <div className="actor-side">
        {side}
        {journal}
      </div>
    </div>
  );
}

// Helpers

/** Where charts are lists and everything is in one column; as wide as `actor.css` says. */
const PHONE = matchMedia('(max-width: 44rem)');

/**
 * Whether the screen is a phone's. For orders that CSS cannot change without misleading the focus.
 */
function useIsPhone(): boolean {
  return useSyncExternalStore(watchPhone, isPhone);
}

function watchPhone(changed: () => void): () => void {
  PHONE.addEventListener('change', changed);
  return () => PHONE.removeEventListener('change', changed);
}

function isPhone(): boolean {
  return PHONE.matches;
}

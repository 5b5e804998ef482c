import type { Span, Throughput } from '../../../../http/console/operator/chart-activity-schemas.ts';
import { useSearchParams } from '../../../routing/router.ts';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { type Column, Table } from '../../../ui/lists/table.tsx';
import { FullTimestamp } from '../../../ui/values/timestamp.tsx';

type StateChangeCount = Throughput['changes'][number];

/** Periods in which state changes can be counted. */
export const SPANS = [
  ['none', 'Now'],
  ['hour', '1 h'],
  ['day', '24 h'],
  ['week', '7 d'],
] as const satisfies readonly (readonly [Span | 'none', string])[];

/** The period, from the URL; null: only what is now. */
export function useSpan(): Span | null {
  const span = useSearchParams().get('span');
  return span === 'hour' || span === 'day' || span === 'week' ? span : null;
}

/** State changes in a period as a table, the twin of the numbers on the arrows. */
export function ThroughputCard({ throughput }: { readonly throughput: Throughput }) {
  const { changes, from, isEstimate } = throughput;
  return (
    <Card className="card-flush">
      {changes.length === 0 ? (
        <EmptyState title="No state changes in this period" />
      ) : (
        <Table
          label="State changes"
          rows={changes}
          keyOf={(change) => `${change.from} ${change.to} ${change.event}`}
          columns={COLUMNS}
        />
      )}
      <p className="table-foot">
        <span>
          Since <FullTimestamp at={from} />
        </span>
        {isEstimate ? <span>Estimated from one actor in 64</span> : null}
      </p>
    </Card>
  );
}

// Helpers

const COLUMNS: readonly Column<StateChangeCount>[] = [
  {
    id: 'change',
    // In one column, so that the number beside it stays in sight.
    title: 'From → to',
    cell: ({ from, to }) => (
      <span className="two-lines">
        {from ?? <span className="soft">started</span>}
        <br />→ {to}
      </span>
    ),
  },
  { id: 'event', title: 'Event', isSecondary: true, isCut: true, cell: ({ event }) => <code>{event}</code> },
  { id: 'count', title: 'Actors', isNumber: true, cell: ({ count }) => count.toLocaleString('en') },
];

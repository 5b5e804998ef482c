import type { NextTimer } from '../../../../http/console/operator/schemas.ts';
import { useNextTimers } from '../../../api/operator.ts';
import { hrefOf } from '../../../routing/paths.ts';
import { Page } from '../../../shell/page.tsx';
import { Badge, toneOf } from '../../../ui/badge.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { type Column, Dash } from '../../../ui/lists/table.tsx';
import { ShortId } from '../../../ui/values/short-id.tsx';
import { Countdown } from '../../../ui/values/timestamp.tsx';
import { ListCard } from '../../list-card.tsx';

export function TimersPage() {
  const timers = useNextTimers();
  return (
    <Page
      title="Next timers"
      about="The next 50 timers of all actors, overdue ones first. Timers that wait for a block appear once they are overdue."
    >
      <ListCard
        query={timers}
        loading="Loading timers"
        lines={12}
        label="Timers"
        asCards
        rowsOf={(rows) => rows}
        keyOf={({ actorId, name }) => `${actorId} ${name}`}
        columns={COLUMNS}
        empty={<EmptyState title="No pending timers" />}
      />
    </Page>
  );
}

// Helpers

const COLUMNS: readonly Column<NextTimer>[] = [
  {
    id: 'actor',
    opensRow: true,
    title: 'Actor',
    cell: ({ actorId }) => <ShortId id={actorId} href={hrefOf('actor', { id: actorId })} />,
  },
  { id: 'due', title: 'Due', cell: (timer) => <Due {...timer} /> },
  { id: 'name', title: 'Timer', isSecondary: true, isOnCard: true, cell: ({ name }) => name },
  { id: 'kind', title: 'Kind', isSecondary: true, cell: ({ kind }) => kind },
  {
    id: 'state',
    title: 'State',
    isSecondary: true,
    cell: ({ state }) => <Badge tone={toneOf(state)}>{state}</Badge>,
  },
  {
    id: 'gate',
    title: 'Waits for network',
    isSecondary: true,
    cell: ({ gate }) => gate ?? <Dash />,
  },
];

function Due({ firesAt, height, isLate }: NextTimer) {
  return (
    <>
      {isLate ? <Badge tone="bad">late</Badge> : null}{' '}
      {firesAt === null ? `at height ${height?.toLocaleString('en') ?? '?'}` : <Countdown at={firesAt} />}
    </>
  );
}

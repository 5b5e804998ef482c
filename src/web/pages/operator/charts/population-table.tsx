import type { Population } from '../../../../http/console/contract/charts.ts';
import type { ActorFilter } from '../../../../http/console/operator/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { type Column, Dash, Table } from '../../../ui/lists/table.tsx';
import { durationText } from '../../../ui/values/time-text.ts';
import { Since, Timestamp } from '../../../ui/values/timestamp.tsx';
import { countText } from '../../../ui/values/word-text.ts';
import { queryOf } from '../actors/actor-filter.ts';

type Leaf = Population['leaves'][number];

export function PopulationCard({ population }: { readonly population: Population }) {
  return (
    <Card className="card-flush population">
      <PopulationTable population={population} />
      <p className="table-foot">
        <span>
          Counted <Timestamp at={population.at} />
        </span>
        <span>
          {countText(
            population.leaves.reduce((sum, leaf) => sum + leaf.count, 0),
            'actor',
          )}
        </span>
      </p>
    </Card>
  );
}

/** How many actors rest in each state, as a table. Every number links to its list. */
function PopulationTable({ population }: { readonly population: Population }) {
  const busiest = [...population.leaves].sort((a, b) => b.count - a.count);
  if (busiest.length === 0) return <EmptyState title="No actor of this kind yet" />;
  return (
    <Table
      label="Actors in each state"
      rows={busiest}
      keyOf={({ state }) => state}
      columns={columnsFor(population.kind)}
    />
  );
}

// Helpers

function columnsFor(kind: string): readonly Column<Leaf>[] {
  return [
    {
      id: 'state',
      opensRow: true,
      title: 'State',
      cell: ({ state }) => <Link href={hrefOf('actors', {}, { kind, state })}>{state}</Link>,
    },
    { id: 'count', title: 'Actors', isNumber: true, cell: ({ count }) => count.toLocaleString('en') },
    {
      id: 'overdue',
      title: 'Overdue',
      isNumber: true,
      cell: ({ state, overdue }) => <Overdue filter={{ kind, state, isOverdue: true }} count={overdue} />,
    },
    { id: 'p50', title: 'Median', isNumber: true, isSecondary: true, cell: ({ p50Ms }) => durationText(p50Ms) },
    { id: 'p95', title: 'p95', isNumber: true, isSecondary: true, cell: ({ p95Ms }) => durationText(p95Ms) },
    {
      id: 'oldest',
      title: 'Oldest since',
      isNumber: true,
      isSecondary: true,
      cell: ({ oldestAt }) => (oldestAt === null ? <Dash /> : <Since at={oldestAt} />),
    },
  ];
}

/** Links to the list of exactly these, which the server finds by the same condition. */
function Overdue({ filter, count }: { readonly filter: ActorFilter; readonly count: number | null }) {
  if (count === null) return <Dash />;
  if (count === 0) return <span className="soft">0</span>;
  return (
    <Link href={hrefOf('actors', {}, queryOf(filter))}>
      <Badge tone="warn">{count.toLocaleString('en')}</Badge>
    </Link>
  );
}

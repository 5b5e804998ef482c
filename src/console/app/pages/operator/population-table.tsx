import type { Population } from '../../../contract/charts.ts';
import { Link } from '../../routing/link.tsx';
import { hrefOf } from '../../routing/paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { durationText } from '../../ui/time-text.ts';

type Leaf = Population['leaves'][number];

/** How many actors rest in each state, as a table. Every number links to its list. */
export function PopulationTable({ population }: { readonly population: Population }) {
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
    { id: 'overdue', title: 'Too long', isNumber: true, cell: ({ overdue }) => <Overdue count={overdue} /> },
    { id: 'p50', title: 'Half for over', isNumber: true, isSecondary: true, cell: ({ p50Ms }) => durationText(p50Ms) },
    { id: 'p95', title: '5 % for over', isNumber: true, isSecondary: true, cell: ({ p95Ms }) => durationText(p95Ms) },
    {
      id: 'oldest',
      title: 'Longest since',
      isNumber: true,
      isSecondary: true,
      cell: ({ oldestAt }) => (oldestAt === null ? <span className="soft">–</span> : <Moment at={oldestAt} />),
    },
  ];
}

function Overdue({ count }: { readonly count: number | null }) {
  if (count === null) return <span className="soft">–</span>;
  return count === 0 ? <span className="soft">0</span> : <Badge tone="warn">{count.toLocaleString('en')}</Badge>;
}

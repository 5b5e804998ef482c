import type { Statistics, StatisticsInterval } from '../../../../http/console/merchant/statistics/schemas.ts';
import { Amount } from '../../../ui/amount.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { stepText } from './labels.ts';

interface SeriesTableProps {
  readonly series: Statistics['series'];
  readonly interval: StatisticsInterval;
}

/** The data of the plots as a table, newest first. */
export function SeriesTable({ series, interval }: SeriesTableProps) {
  return (
    <Card className="card-flush">
      <Table
        label="Payments over time"
        rows={series.toReversed()}
        keyOf={({ startsAt }) => String(startsAt)}
        columns={columnsFor(interval)}
      />
    </Card>
  );
}

// Helpers

function columnsFor(interval: StatisticsInterval): readonly Column<Statistics['series'][number]>[] {
  return [
    { id: 'when', title: TITLES[interval], cell: ({ startsAt }) => stepText(startsAt, interval) },
    { id: 'created', title: 'Created', isNumber: true, cell: ({ created }) => created.toLocaleString('en') },
    { id: 'paid', title: 'Paid', isNumber: true, cell: ({ completed }) => completed.toLocaleString('en') },
    {
      id: 'volume',
      title: 'Volume',
      isNumber: true,
      cell: ({ volumeUsd }) => <Amount value={volumeUsd} currency="USD" />,
    },
  ];
}

const TITLES: Readonly<Record<StatisticsInterval, string>> = { day: 'Day', week: 'Week', month: 'Month' };

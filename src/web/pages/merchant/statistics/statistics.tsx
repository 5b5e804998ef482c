import '../../../styles/statistics.css';
import type { Statistics, StatisticsInterval } from '../../../../http/console/merchant/statistics/schemas.ts';
import { useStatistics } from '../../../api/statistics.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { useSearchParams, useSetSearchParams } from '../../../routing/router.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { type Column, Table } from '../../../ui/lists/table.tsx';
import { amountsText, rangeText, stepText, summaryText } from './labels.ts';
import { type Period, periodOf } from './period.ts';
import { PeriodChoice } from './period-choice.tsx';
import { Plots } from './plots.tsx';
import { ShareTables } from './share-tables.tsx';
import { Totals } from './totals.tsx';

export function StatisticsPage() {
  const requested = periodOf(useSearchParams(), Date.now());
  return (
    <Page
      title="Statistics"
      about="Payments by creation day (UTC), with their current status. Amounts are in each price’s currency; US dollars use each payment’s rate. The conversion rate covers ended payments. Payments whose coins are gone do not count as paid."
    >
      <PeriodChoice requested={requested} />
      {requested.ok ? (
        <Numbers period={requested.period} />
      ) : (
        <p className="notice" role="status">
          {requested.problem}
        </p>
      )}
    </Page>
  );
}

// Helpers

function Numbers({ period }: { readonly period: Period }) {
  const { from, to, interval, before } = period;
  const now = useStatistics({ from, to, interval });
  const then = useStatistics({ ...before, interval: 'month' });
  const isList = useSearchParams().get('show') === 'lists';
  const isOld = now.isPlaceholderData;
  return (
    <Await query={now} label="Loading payments" lines={10}>
      {(data) => (
        <>
          <p className="statistics-range">
            <strong>{rangeText(period)}</strong>{' '}
            <span className="soft" role="status">
              {isOld ? 'Loading…' : `compared with ${rangeText(before)}`}
            </span>
          </p>
          <div className={isOld ? 'statistics is-old' : 'statistics'} aria-busy={isOld}>
            {data.totals.created === 0 ? (
              <NothingYet />
            ) : (
              <>
                <Totals now={data} before={then.isPlaceholderData ? undefined : then.data} />
                <div className="statistics-bar">
                  <p className="soft">{summaryText(data, interval)}</p>
                  <ShowSwitch isList={isList} />
                </div>
                {isList ? (
                  <SeriesTable series={data.series} interval={interval} />
                ) : (
                  <Plots totals={data.totals} series={data.series} interval={interval} />
                )}
                <ShareTables byCoin={data.byCoin} byCurrency={data.byCurrency} />
              </>
            )}
          </div>
        </>
      )}
    </Await>
  );
}

function ShowSwitch({ isList }: { readonly isList: boolean }) {
  const setQuery = useSetSearchParams();
  return (
    <fieldset className="segments">
      <legend className="unseen">Show as</legend>
      <label className="segment">
        <input type="radio" name="show" checked={!isList} onChange={() => setQuery({ show: undefined })} />
        <span>Charts</span>
      </label>
      <label className="segment">
        <input type="radio" name="show" checked={isList} onChange={() => setQuery({ show: 'lists' })} />
        <span>Tables</span>
      </label>
    </fieldset>
  );
}

function NothingYet() {
  return (
    <Card>
      <EmptyState title="No payments were created in this period">
        Choose a longer period above. To accept a first payment,{' '}
        <Link href={hrefOf('links', {})}>create a payment link</Link> and open it, or let your shop create one with{' '}
        <Link href={hrefOf('keys', {})}>your API keys</Link>.
      </EmptyState>
    </Card>
  );
}

interface SeriesTableProps {
  readonly series: Statistics['series'];
  readonly interval: StatisticsInterval;
}

/** The data of the plots as a table, newest first. */
function SeriesTable({ series, interval }: SeriesTableProps) {
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

function columnsFor(interval: StatisticsInterval): readonly Column<Statistics['series'][number]>[] {
  return [
    { id: 'when', title: TITLES[interval], cell: ({ startsAt }) => stepText(startsAt, interval) },
    { id: 'created', title: 'Created', isNumber: true, cell: ({ created }) => created.toLocaleString('en') },
    { id: 'paid', title: 'Paid', isNumber: true, cell: ({ completed }) => completed.toLocaleString('en') },
    {
      id: 'volume',
      title: 'Volume',
      isNumber: true,
      cell: ({ volumes }) => <span className="number">{amountsText(volumes)}</span>,
    },
  ];
}

const TITLES: Readonly<Record<StatisticsInterval, string>> = { day: 'Day', week: 'Week', month: 'Month' };

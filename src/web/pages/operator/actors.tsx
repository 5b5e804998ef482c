import { useMemo, useRef } from 'react';
import type { ActorFilter, ListedActor } from '../../../http/console/operations/schemas.ts';
import { useActors, useCharts } from '../../api/operator.ts';
import { Link } from '../../routing/link.tsx';
import { hrefOf } from '../../routing/paths.ts';
import { useSearchParams } from '../../routing/router.ts';
import { Page } from '../../shell/page.tsx';
import { useShortcut } from '../../state/shortcuts.ts';
import { Await } from '../../ui/await.tsx';
import { Badge, toneOf } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Countdown, Moment, Since } from '../../ui/moment.tsx';
import { errorText } from '../../ui/problem.tsx';
import { SavedViews } from '../../ui/saved-views.tsx';
import { ShortId } from '../../ui/short-id.tsx';
import { type Column, Dash, Table } from '../../ui/table.tsx';
import { filterIn } from './actor-filter.ts';
import { ActorFilters } from './actor-filters.tsx';

/** The actors that match the filter in the URL. */
export function ActorsPage({ mayAct }: { readonly mayAct: boolean }) {
  const charts = useCharts();
  const query = useSearchParams();
  return (
    <Page title="Actors">
      <Await query={charts} label="Fetching the kinds of actors" lines={10}>
        {(all) => <Filtered filter={filterIn(query, all[0]?.kind ?? '')} mayAct={mayAct} />}
      </Await>
    </Page>
  );
}

// Helpers

function Filtered({ filter, mayAct }: { readonly filter: ActorFilter; readonly mayAct: boolean }) {
  const search = useRef<HTMLInputElement>(null);
  useShortcut('/', 'Search', () => search.current?.focus());
  const actors = useActors(filter);
  const rows = useMemo(() => actors.data?.pages.flatMap((page) => page.actors) ?? [], [actors.data]);
  const total = actors.data?.pages[0]?.total ?? 0;
  return (
    <>
      <ActorFilters filter={filter} search={search} mayAct={mayAct} />
      <SavedViews page="actors" />
      <Await query={actors} label="Fetching actors" lines={12}>
        {() => (
          <Card className={actors.isPlaceholderData ? 'card-flush is-old' : 'card-flush'}>
            {rows.length === 0 ? (
              <EmptyState title="Nothing matches">
                <Link href={hrefOf('actors', {}, { kind: filter.kind })}>Show all of this kind</Link>
              </EmptyState>
            ) : (
              <Table label="Actors" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} more={actors} />
            )}
            <p className="table-foot" role="status">
              <span>{`${rows.length.toLocaleString('en')} of ${total.toLocaleString('en')}`}</span>
              <span>
                {actors.isFetchingNextPage ? 'Fetching more…' : null}
                {actors.isFetchNextPageError ? errorText(actors.error) : null}
              </span>
            </p>
          </Card>
        )}
      </Await>
    </>
  );
}

const COLUMNS: readonly Column<ListedActor>[] = [
  {
    id: 'id',
    opensRow: true,
    title: 'Actor',
    cell: ({ id }) => <ShortId id={id} href={hrefOf('actor', { id })} />,
  },
  { id: 'state', title: 'State', cell: ({ state }) => <Badge tone={toneOf(state)}>{state}</Badge> },
  {
    id: 'merchant',
    title: 'Merchant',
    isSecondary: true,
    cell: ({ merchantId: id }) => (id === null ? <Dash /> : <ShortId id={id} href={hrefOf('merchant', { id })} />),
  },
  { id: 'since', title: 'In state since', isNumber: true, cell: ({ since }) => <Since at={since} /> },
  {
    id: 'timer',
    title: 'Next timer',
    isSecondary: true,
    cell: ({ nextTimer }) => (nextTimer === null ? <Dash /> : <TimerCountdown timer={nextTimer} />),
  },
  {
    id: 'letters',
    title: 'Dead letters',
    isNumber: true,
    isSecondary: true,
    cell: ({ deadLetters }) => (deadLetters === 0 ? <Dash /> : <Badge tone="bad">{deadLetters}</Badge>),
  },
  { id: 'steps', title: 'Steps', isNumber: true, isSecondary: true, cell: ({ steps }) => steps.toLocaleString('en') },
  {
    id: 'created',
    title: 'Created',
    isNumber: true,
    isSecondary: true,
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

function TimerCountdown({ timer }: { readonly timer: NonNullable<ListedActor['nextTimer']> }) {
  return (
    <>
      {timer.name}{' '}
      <span className="soft">
        {timer.firesAt === null ? `at height ${timer.height ?? '?'}` : <Countdown at={timer.firesAt} />}
      </span>
    </>
  );
}

import { useMemo, useRef } from 'react';
import type { ActorFilter } from '../../../http/console/operator/schemas.ts';
import { useActors, useCharts } from '../../api/operator.ts';
import { Link } from '../../routing/link.tsx';
import { hrefOf } from '../../routing/paths.ts';
import { useSearchParams } from '../../routing/router.ts';
import { Page } from '../../shell/page.tsx';
import { useShortcut } from '../../state/shortcuts.ts';
import { Await } from '../../ui/await.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { errorText } from '../../ui/problem.tsx';
import { SavedViews } from '../../ui/saved-views.tsx';
import { Table } from '../../ui/table.tsx';
import { actorColumnsOf } from './actor-columns.tsx';
import { filterIn, isPlain } from './actor-filter.ts';
import { ActorFilters } from './actor-filters.tsx';

/** The actors that match the filter in the URL. */
export function ActorsPage({ mayAct }: { readonly mayAct: boolean }) {
  const charts = useCharts();
  const query = useSearchParams();
  return (
    <Page title="Actors">
      <Await query={charts} label="Loading the kinds of actors" lines={10}>
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
      <Await query={actors} label="Loading actors" lines={12}>
        {() => (
          <Card className={actors.isPlaceholderData ? 'card-flush actors is-old' : 'card-flush actors'}>
            {rows.length === 0 ? (
              <NoActors filter={filter} />
            ) : (
              <Table
                label="Actors"
                columns={actorColumnsOf(filter.kind)}
                rows={rows}
                keyOf={({ id }) => id}
                more={actors}
              />
            )}
            <p className={rows.length === 0 ? 'unseen' : 'table-foot'} role="status">
              <span>{`${rows.length.toLocaleString('en')} of ${total.toLocaleString('en')}`}</span>
              <span>
                {actors.isFetchingNextPage ? 'Loading more…' : null}
                {actors.isFetchNextPageError ? errorText(actors.error) : null}
              </span>
            </p>
          </Card>
        )}
      </Await>
    </>
  );
}

function NoActors({ filter }: { readonly filter: ActorFilter }) {
  if (isPlain(filter)) return <EmptyState title="No actor of this kind yet" />;
  return (
    <EmptyState title="Nothing matches">
      <Link href={hrefOf('actors', {}, { kind: filter.kind })}>Show all of this kind</Link>
    </EmptyState>
  );
}

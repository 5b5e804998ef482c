import { useMemo, useRef } from 'react';
import type { ActorFilter } from '../../../../http/console/operator/schemas.ts';
import { useActors, useCharts } from '../../../api/operator.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { useSearchParams } from '../../../routing/router.ts';
import { Page } from '../../../shell/page.tsx';
import { useShortcut } from '../../../state/shortcuts.ts';
import { Await } from '../../../ui/await.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { SavedViews } from '../../../ui/lists/saved-views.tsx';
import { ListCard } from '../../list-card.tsx';
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
  return (
    <>
      <ActorFilters filter={filter} search={search} mayAct={mayAct} />
      <SavedViews page="actors" />
      <ListCard
        query={actors}
        loading="Loading actors"
        lines={12}
        label="Actors"
        className="actors"
        isOld={actors.isPlaceholderData}
        rowsOf={() => rows}
        totalOf={({ pages }) => pages[0]?.total ?? 0}
        keyOf={({ id }) => id}
        columns={actorColumnsOf(filter.kind)}
        empty={<NoActors filter={filter} />}
      />
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

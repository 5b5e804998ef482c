import { useEffect } from 'react';
import { useCharts } from '../../../api/operator.ts';
import { hrefOf } from '../../../routing/paths.ts';
import { navigate } from '../../../routing/router.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';

/** Redirects to the first chart, which only the server knows. */
export function ChartsPage() {
  const charts = useCharts();
  const first = charts.data?.[0]?.kind;
  useEffect(() => {
    if (first !== undefined) navigate(hrefOf('chart', { kind: first }), { replaces: true });
  }, [first]);
  return (
    <Page title="Charts">
      <Await query={charts} label="Loading charts">
        {(all) => (all.length === 0 ? <EmptyState title="This service runs no charts" /> : null)}
      </Await>
    </Page>
  );
}

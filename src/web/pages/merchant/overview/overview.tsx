import { useOverview } from '../../../api/overview.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { FirstRun } from './first-run.tsx';
import { LatestPayments } from './latest-payments.tsx';
import { Month } from './month.tsx';
import { Numbers } from './numbers.tsx';
import { ReplacedWallets } from './replaced-wallets.tsx';

/** The merchant's first page: setup steps, key figures, and the latest payments. */
export function OverviewPage({ isOwner }: { readonly isOwner: boolean }) {
  const overview = useOverview();
  return (
    <Page title="Overview">
      <Await query={overview} label="Fetching the overview" lines={8}>
        {(data) => (
          <>
            <ReplacedWallets replaced={data.replacedWallets} />
            <FirstRun overview={data} isOwner={isOwner} />
            <Numbers overview={data} />
            <Month />
            <LatestPayments payments={data.latest} />
          </>
        )}
      </Await>
    </Page>
  );
}

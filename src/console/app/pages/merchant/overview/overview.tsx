import { useOverview } from '../../../api/overview.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { FirstRun } from './first-run.tsx';
import { LatestPayments } from './latest-payments.tsx';
import { Numbers } from './numbers.tsx';
import { ReplacedWallets } from './replaced-wallets.tsx';

/** The first page of a merchant: what is still to be set up, how things go, and what came last. */
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
            <LatestPayments payments={data.latest} />
          </>
        )}
      </Await>
    </Page>
  );
}

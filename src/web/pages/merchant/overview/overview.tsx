import type { ReplacedWallet } from '../../../../http/console/merchant/overview/schemas.ts';
import type { PaymentListItem } from '../../../../http/console/merchant/payments/schemas.ts';
import { useOverview } from '../../../api/overview.ts';
import { useStatistics } from '../../../api/statistics.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { useMode } from '../../../routing/router.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Card } from '../../../ui/card.tsx';
import { WarnIcon } from '../../../ui/icons.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { Amount } from '../../../ui/values/amount.tsx';
import { PaymentStatus } from '../../../ui/values/payment-status-badge.tsx';
import { ShortId } from '../../../ui/values/short-id.tsx';
import { FullTimestamp, Timestamp } from '../../../ui/values/timestamp.tsx';
import { amountsText, endedText, rateText, soleCurrency, summaryText, volumeIn } from '../statistics/labels.ts';
import { lastDays } from '../statistics/period.ts';
import { FirstRunCard } from './first-run.tsx';
import { Numbers } from './numbers.tsx';
import { SPARKLINE, sparklinePoints } from './sparkline.ts';

/** The merchant's first page: setup steps, key figures, and the latest payments. */
export function OverviewPage({ isOwner }: { readonly isOwner: boolean }) {
  const overview = useOverview();
  return (
    <Page title="Overview">
      <Await query={overview} label="Loading the overview" lines={8}>
        {(data) => (
          <>
            <ReplacedWallets replaced={data.replacedWallets} />
            <FirstRunCard overview={data} isOwner={isOwner} />
            <Numbers overview={data} />
            <Month />
            <LatestPayments payments={data.latest} />
          </>
        )}
      </Await>
    </Page>
  );
}

// Helpers

/** Recently replaced wallets. Every user of the merchant sees them, so that a theft is noticed. */
function ReplacedWallets({ replaced }: { readonly replaced: readonly ReplacedWallet[] }) {
  return replaced.map(({ at, network, cryptos, by }) => (
    <div key={`${at}${network}${cryptos.join()}`} className="problem" role="status">
      <WarnIcon />
      <p>
        The wallet for {cryptos.join(', ')} ({network}) was replaced on <FullTimestamp at={at} />
        {by === null ? '' : ` by ${by}`}. New payments go to the new wallet. If no one on your team did this,{' '}
        <Link href={hrefOf('wallets', {})}>check your wallets</Link> now.
      </p>
    </div>
  ));
}

/** Volume per day of the last 30 days, and the share of ended payments that were paid. */
function Month() {
  const month = useStatistics({ ...lastDays(30, Date.now()), interval: 'day' });
  return (
    <Card
      title="Last 30 days"
      className="month-card"
      actions={<Link href={hrefOf('statistics', {})}>View statistics</Link>}
    >
      <Await query={month} label="Loading the payments of 30 days" lines={2}>
        {(data) => (
          <div className="month">
            <p>
              <span className="figure number">{amountsText(data.totals.volumes)}</span>
              <br />
              <span className="soft">paid</span>
            </p>
            <p>
              <span className="figure number">{rateText(data.totals.conversionRate)}</span>
              <br />
              <span className="soft">conversion rate, {endedText(data.totals)}</span>
            </p>
            <svg
              className="sparkline"
              role="img"
              aria-label={`Volume per day. ${summaryText(data, 'day')}`}
              viewBox={`0 -2 ${SPARKLINE.width} ${SPARKLINE.height + 4}`}
              preserveAspectRatio="none"
            >
              <polyline points={sparklinePoints(data.series.map((day) => volumeIn(day, soleCurrency(data.totals))))} />
            </svg>
          </div>
        )}
      </Await>
    </Card>
  );
}

/** The newest payments of the current mode. */
function LatestPayments({ payments }: { readonly payments: readonly PaymentListItem[] }) {
  const mode = useMode();
  return (
    <Card
      title="Recent payments"
      actions={<Link href={hrefOf('payments', {})}>All payments</Link>}
      className="card-latest"
    >
      {payments.length === 0 ? (
        <EmptyState title={mode === 'test' ? 'No test payments yet' : 'No payments yet'}>
          {mode === 'test'
            ? 'Create one in the first steps above, or with a test key.'
            : 'Payments appear here as soon as a customer starts to pay. Switch to test mode at the top to see test payments.'}
        </EmptyState>
      ) : (
        <ul className="lines">
          {payments.map((payment) => (
            <li key={payment.id} className="latest">
              <span className="latest-name wrap">
                {payment.orderId === null && payment.title === null ? (
                  <ShortId id={payment.id} href={hrefOf('payment', { id: payment.id })} />
                ) : (
                  <Link href={hrefOf('payment', { id: payment.id })}>{payment.orderId ?? payment.title}</Link>
                )}
              </span>
              <span className="latest-status">
                <PaymentStatus status={payment.status} exception={payment.exception} loss={payment.loss} />
              </span>
              <span className="latest-amount">
                <Amount value={payment.amountFiat} currency={payment.currencyFiat} />
              </span>
              <span className="soft latest-when">
                <Timestamp at={payment.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

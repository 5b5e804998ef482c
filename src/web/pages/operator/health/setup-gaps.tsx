import type { ReactNode } from 'react';
import type { SetupGap } from '../../../../http/console/operator/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';

/** What the installation still needs, each with the page, setting or command that provides it. */
export function SetupGaps({ missing }: { readonly missing: readonly SetupGap[] }) {
  if (missing.length === 0) return null;
  return (
    <Card title="Setup to complete" actions={<Badge tone="warn">{missing.length}</Badge>}>
      <ul className="lines">
        {missing.map((gap) => (
          <li key={gap} className="line">
            <div className="line-main">
              <p>
                <strong>{GAPS[gap].title}</strong>
              </p>
              <p className="soft wrap">{GAPS[gap].remedy}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Whether the installation can accept no live payment: without one of these it is not in use. */
export function isUnused(missing: readonly SetupGap[]): boolean {
  return NEEDED_FOR_PAYMENTS.some((gap) => missing.includes(gap));
}

// Helpers

const NEEDED_FOR_PAYMENTS: readonly SetupGap[] = ['merchant', 'live_network', 'wallet'];

const GAPS: Readonly<Record<SetupGap, { readonly title: string; readonly remedy: ReactNode }>> = {
  merchant: {
    title: 'There is no merchant',
    remedy: (
      <>
        <Link href={hrefOf('merchants', {})}>Create one</Link>, or run <code>quittance provision FILE</code>.
      </>
    ),
  },
  live_network: {
    title: 'No live network is connected',
    remedy: (
      <>
        Only test payments work. Set <code>BTC_NETWORK=mainnet</code> and <code>BTC_RPC_URL</code>, or the equivalents
        for <code>LTC</code>, <code>DOGE</code>, <code>DASH</code> or <code>ETH</code>. Main networks need{' '}
        <code>DATABASE_URL</code>.
      </>
    ),
  },
  wallet: {
    title: 'No merchant has a wallet for a connected network',
    remedy: (
      <>
        Owners add wallets in their dashboard. <code>quittance provision FILE</code> adds them too.
      </>
    ),
  },
  rate_source: {
    title: 'No exchange rate source',
    remedy: (
      <>
        Live payments need one. Set <code>RATES_SOURCES</code> or <code>RATES_FIXED</code>. If neither is set, all
        public sources are used with a live network.
      </>
    ),
  },
  public_url: {
    title: 'Customers cannot reach this service',
    remedy: (
      <>
        Payment links point to this machine. Set <code>PUBLIC_URL</code> to the https address that customers use.
      </>
    ),
  },
  mail: {
    title: 'No mail server is set',
    remedy: (
      <>
        Emails are stored but not sent. Set <code>SMTP_URL</code> and <code>MAIL_FROM</code>.
      </>
    ),
  },
  second_operator: {
    title: 'There is only one operator',
    remedy: (
      <>
        If that login is lost, no operator can sign in. <Link href={hrefOf('users', {})}>Invite a second operator</Link>
        , or run <code>quittance user create --email EMAIL --role operator</code>.
      </>
    ),
  },
  second_factor: {
    title: 'An operator has no second factor',
    remedy: (
      <>
        <Link href={hrefOf('account', {}, { tab: 'two-factor' })}>Set up your second factor</Link>, or see{' '}
        <Link href={hrefOf('users', {})}>who has none</Link>.
      </>
    ),
  },
};

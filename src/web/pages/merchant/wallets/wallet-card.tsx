import '../../../styles/wallets.css';
import { useState } from 'react';
import type { WalletInfo, WalletList } from '../../../../http/console/merchant/wallets/schemas.ts';
import { addressesFileHref } from '../../../api/wallets.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, DetailList } from '../../../ui/card.tsx';
import { Timestamp } from '../../../ui/values/timestamp.tsx';
import { ADDRESS_TYPE_WORDS, NETWORK_WORDS } from './labels.ts';
import { SkipAddresses } from './skip-addresses.tsx';

interface WalletCardProps {
  readonly wallet: WalletInfo;
  readonly limits: Pick<WalletList, 'gapLimit' | 'maxSkipped'>;
  readonly isOwner: boolean;
}

/** One wallet: its first addresses, its usage, and its problems. */
export function WalletCard({ wallet, limits, isOwner }: WalletCardProps) {
  const [isSkipping, setIsSkipping] = useState(false);
  const network = NETWORK_WORDS[wallet.networkKind];
  return (
    <Card
      title={
        <span className="wallet-title">
          {wallet.chainName}
          {wallet.mode === 'test' ? <Badge tone="info">Test payments</Badge> : null}
          {network === null ? null : <Badge tone="warn">{network}</Badge>}
          {wallet.cryptos.map((crypto) => (
            <Badge key={crypto}>{crypto}</Badge>
          ))}
        </span>
      }
      actions={
        isOwner ? (
          <span className="button-row">
            <a className="button button-quiet" href={addressesFileHref(wallet.id)} download>
              Addresses as CSV
            </a>
            <Button variant="quiet" onClick={() => setIsSkipping(true)}>
              Skip addresses
            </Button>
            <Link className="button" href={hrefOf('wallets', {}, { add: wallet.cryptos[0], mode: wallet.mode })}>
              Replace
            </Link>
          </span>
        ) : undefined
      }
    >
      <div className="wallet">
        {wallet.problem === null ? null : (
          <div className="notice">
            <p>{wallet.problem}</p>
          </div>
        )}
        {wallet.warning === null ? null : (
          <div className="notice">
            <p>{wallet.warning}</p>
          </div>
        )}
        <DetailList
          items={[
            ['Addresses', ADDRESS_TYPE_WORDS[wallet.addressType]],
            ['Addresses used', <Count key="given" value={wallet.allocated} />],
            [
              'Consecutive unused addresses',
              <span key="run" className="number">
                {wallet.unusedRun} <span className="soft">(most wallets scan {limits.gapLimit} ahead)</span>
              </span>,
            ],
            [
              'Last paid',
              wallet.lastPaidIndex === null ? 'none yet' : <Index key="paid" index={wallet.lastPaidIndex} />,
            ],
            ['Next', <Index key="next" index={wallet.nextIndex} />],
            ['Set', <Timestamp key="at" at={wallet.attachedAt} />],
          ]}
        />
        <details className="help">
          <summary>First addresses</summary>
          <ol className="addresses">
            {wallet.firstAddresses.map((address, index) => (
              <li key={address}>
                <span className="soft number">{index + 1}</span>
                <code className="wrap">{address}</code>
              </li>
            ))}
          </ol>
        </details>
      </div>
      <SkipAddresses wallet={wallet} limits={limits} isOpen={isSkipping} close={() => setIsSkipping(false)} />
    </Card>
  );
}

// Helpers

function Count({ value }: { readonly value: number }) {
  return <span className="number">{value.toLocaleString('en')}</span>;
}

/** Wallets count from 0 in paths and from 1 in lists, so both are shown. */
function Index({ index }: { readonly index: number }) {
  return (
    <span className="number">
      address {(index + 1).toLocaleString('en')} <span className="soft">(index {index.toLocaleString('en')})</span>
    </span>
  );
}

import type { PaymentInfo, SplitInfo, UnassignedInfo } from '../../../../http/console/merchant/payment/schemas.ts';
import { explorerOf } from '../../../../platform/block-explorers.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { Amount } from '../../../ui/values/amount.tsx';
import type { StatusTexts } from '../../../ui/values/payment-status-badge.tsx';
import { Since } from '../../../ui/values/timestamp.tsx';
import { countText } from '../../../ui/values/word-text.ts';
import { SearchTransaction } from './search-transaction.tsx';

/** Every on-chain transaction that paid the address, including those that no longer count. */
export function Coins({ payment }: { readonly payment: PaymentInfo }) {
  return (
    <Card title="Received">
      {payment.splits.length > 0 ? (
        <ul className="lines">
          {payment.splits.map((split) => (
            <Split key={split.outputId} split={split} payment={payment} />
          ))}
        </ul>
      ) : payment.unassigned.length > 0 ? null : (
        <EmptyState title="Nothing has arrived yet">
          Payments to the address appear here as soon as they are on the network.
        </EmptyState>
      )}
      <Unassigned payment={payment} />
      <SearchTransaction payment={payment} />
    </Card>
  );
}

// Helpers

const SPLIT_WORDS: Readonly<Record<SplitInfo['status'], StatusTexts>> = {
  detected: { word: 'Seen', tone: 'info', about: 'Sent, not in a block yet.' },
  confirming: { word: 'Confirming', tone: 'info', about: 'In a block, being confirmed.' },
  confirmed: { word: 'Confirmed', tone: 'good', about: 'It has the required confirmations.' },
  replaced: { word: 'Gone', tone: 'bad', about: 'Withdrawn or lost; it no longer counts.' },
};

function Split({ split, payment }: { readonly split: SplitInfo; readonly payment: PaymentInfo }) {
  const { word, tone, about } = SPLIT_WORDS[split.status];
  const isGone = split.status === 'replaced';
  return (
    <li className="line">
      <div className="line-main">
        <p className={isGone ? 'split-head split-gone' : 'split-head'}>
          <strong>
            <Amount value={split.amount.crypto} currency={payment.crypto} />
          </strong>
          <Amount className="soft" value={split.amount.fiat} currency={payment.currencyFiat} />
          <span title={about}>
            <Badge tone={tone}>{word}</Badge>
          </span>
          {split.isLate ? <Badge tone="warn">late</Badge> : null}
          {split.isDeclined ? (
            <span title="Dismissed, rejected or settled: it pays nothing any more.">
              <Badge>declined</Badge>
            </span>
          ) : null}
        </p>
        <Transaction txid={split.txid} network={payment.network} />
      </div>
      <span className="soft number split-when">
        {isGone ? null : (
          <span>
            {split.confirmations.toLocaleString('en')} of {countText(payment.confirmationsRequired, 'confirmation')}
          </span>
        )}
        <span>
          first seen <Since at={split.firstSeenAt} />
        </span>
      </span>
    </li>
  );
}

function Transaction({ txid, network }: { readonly txid: string | null; readonly network: string }) {
  if (txid === null) return <p className="soft">The balance increased without a known transaction.</p>;
  const explorer = explorerOf(network, txid);
  return (
    <p className="txid">
      <code className="soft wrap">{txid}</code>
      <Copy text={txid} label="the transaction id" />
      {explorer === null ? null : (
        <a href={explorer.url} target="_blank" rel="noreferrer noopener">
          View on {explorer.name}
        </a>
      )}
    </p>
  );
}

const UNASSIGNED_TEXTS: Readonly<Record<UnassignedInfo['reason'], string>> = {
  before_payment:
    'It was at this address before the payment was created and does not pay it. Your wallet shows whether you still have it.',
  monitoring_ended: 'It arrived after the payment was final and does not change it.',
  too_many_outputs:
    'The payment accepts no more outputs of this size. It counts this one once it is in a block and a slot is free. Before you refund it, mark it as settled under Needs attention, so that the payment does not count it.',
  other_asset: 'It is not the requested coin and does not change the payment.',
};
const IN_WALLET = 'It is in your wallet; you can refund it from there.';
const NOT_IN_WALLET = 'Its sender can still take it back: wait before you refund it.';

/** Unassigned deposits at the address: not part of the payment, but in the merchant's wallet. */
function Unassigned({ payment: { unassigned, network } }: { readonly payment: PaymentInfo }) {
  if (unassigned.length === 0) return null;
  return (
    <>
      <h3 className="side-title">Other coins at this address</h3>
      <ul className="lines">
        {unassigned.map((deposit) => (
          <li key={`${deposit.asset} ${deposit.outputId}`} className="line">
            <div className="line-main">
              <p className="split-head">
                <strong>
                  <Amount value={deposit.amountCrypto} currency={deposit.asset} />
                </strong>
                {deposit.isConfirmed ? null : <Badge tone="info">not confirmed yet</Badge>}
              </p>
              <p>
                {UNASSIGNED_TEXTS[deposit.reason]}{' '}
                {deposit.reason === 'before_payment' ? null : deposit.isConfirmed ? IN_WALLET : NOT_IN_WALLET}
              </p>
              <Transaction txid={deposit.txid} network={network} />
            </div>
            <span className="soft">
              first seen <Since at={deposit.firstSeenAt} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

import '../../../styles/attention.css';
import type { AttentionItemInfo, AttentionSettler } from '../../../../http/console/merchant/attention/schemas.ts';
import type { DecisionName } from '../../../../http/console/merchant/payment/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Amount } from '../../../ui/values/amount.tsx';
import { amountText } from '../../../ui/values/amount-text.ts';
import { shortIdText } from '../../../ui/values/short-id-text.ts';
import { Since } from '../../../ui/values/timestamp.tsx';
import { type ChosenDecision, Decisions } from './decide.tsx';
import { DECISIONS_OF, KIND_WORDS } from './labels.ts';

interface AttentionLineProps {
  readonly item: AttentionItemInfo;
  decide(decision: ChosenDecision): void;
  settle(item: AttentionItemInfo): void;
}

/** One attention item: what happened, the amount, and the actions. */
export function AttentionLine({ item, decide, settle }: AttentionLineProps) {
  const words = KIND_WORDS[item.kind];
  const isOpen = item.settledAt === null;
  return (
    <li className="attention-item">
      <div className="attention-head">
        <Badge tone={isOpen ? words.tone : 'quiet'}>{words.title}</Badge>
        <Link className="attention-name wrap" href={hrefOf('payment', { id: item.transactionId })}>
          {item.orderId === null
            ? `Payment of ${amountText(item.dueFiat, item.currencyFiat)}`
            : `Order ${item.orderId}`}
        </Link>
        {item.orderId === null ? (
          <span className="mono soft" title={item.transactionId}>
            {shortIdText(item.transactionId)}
          </span>
        ) : null}
        <span className="soft">
          <Since at={item.settledAt ?? item.raisedAt} />
        </span>
        <span className="attention-amount">
          <Amount value={item.amountCrypto} currency={item.crypto} />{' '}
          <Amount className="soft" value={item.amountFiat} currency={item.currencyFiat} />
        </span>
      </div>
      <p>{words.what(item)}</p>
      {isOpen ? <p className="soft">{words.advice}</p> : <Settled item={item} />}
      {isOpen ? <SettledBefore note={item.note} /> : null}
      {isOpen && !item.isConfirmed ? (
        <p className="attention-hint">
          <Badge tone="info">not confirmed yet</Badge> Their sender can still take the coins back: wait before you
          deliver or refund any.
        </p>
      ) : null}
      {item.customerEmail === null ? null : <p className="soft wrap">Customer: {item.customerEmail}</p>}
      {isOpen ? <WhatCanBeDone item={item} decide={decide} settle={settle} /> : null}
    </li>
  );
}

/** This is about coins that arrived in addition to settled ones. */
export function SettledBefore({ note }: { readonly note: string | null }) {
  if (note === null) return null;
  return (
    <p className="soft">
      Earlier coins were settled: <q className="wrap">{note}</q>
    </p>
  );
}

// Helpers

function WhatCanBeDone({ item, decide, settle }: AttentionLineProps) {
  const { kind, transactionId: paymentId, step: seenStep } = item;
  const about = item.orderId ?? paymentId;
  const { title, what } = KIND_WORDS[kind];
  const decisions = DECISIONS_OF[kind];
  if (decisions.length > 0) {
    const { isConfirmed } = item;
    const choose = (decision: DecisionName) =>
      decide({ paymentId, decision, seenStep, stake: what(item), isConfirmed });
    return <Decisions decisions={decisions} about={about} isConfirmed={isConfirmed} choose={choose} />;
  }
  return (
    <div className="button-row">
      <Button variant="main" aria-label={`Mark as settled: ${title}, ${about}`} onClick={() => settle(item)}>
        Mark as settled
      </Button>
    </div>
  );
}

function Settled({ item }: { readonly item: AttentionItemInfo }) {
  return (
    <p>
      {item.note === null ? null : <q className="wrap">{item.note}</q>}{' '}
      <span className="soft">{item.settledBy === null ? '' : settlerText(item.settledBy)}</span>
    </p>
  );
}

function settlerText(settler: AttentionSettler): string {
  switch (settler.kind) {
    case 'person':
      return settler.email;
    case 'shop':
      return 'your shop';
    case 'other':
      return 'a former user, or the operator of this service';
    case 'itself':
      return 'It resolved automatically.';
  }
}

import type { ActorDetail } from '../../../http/console/operations/schemas.ts';
import { Link } from '../../routing/link.tsx';
import { hrefOf } from '../../routing/paths.ts';
import { Amount } from '../../ui/amount.tsx';
import { Badge } from '../../ui/badge.tsx';

interface PaymentSubjectProps {
  readonly actor: Pick<ActorDetail, 'id' | 'merchantId'>;
  readonly payment: NonNullable<ActorDetail['payment']>;
}

/** What a payment is about, in one line: amount, order, merchant and the page of its customer. */
export function PaymentSubject({ actor, payment }: PaymentSubjectProps) {
  const { merchantName, mode, amountFiat, currencyFiat, amountCrypto, crypto, orderId } = payment;
  return (
    <>
      {mode === 'test' ? <Badge tone="warn">test</Badge> : null} <Amount value={amountFiat} currency={currencyFiat} />{' '}
      in <Amount value={amountCrypto} currency={crypto} />
      {orderId === null ? null : <> · order {orderId}</>} ·{' '}
      {actor.merchantId === null ? (
        merchantName
      ) : (
        <Link href={hrefOf('merchant', { id: actor.merchantId })}>{merchantName}</Link>
      )}{' '}
      ·{' '}
      <a href={`/transaction/${encodeURIComponent(actor.id)}`} target="_blank" rel="noreferrer noopener">
        Payment page
      </a>
    </>
  );
}

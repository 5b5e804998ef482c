import type { ActorDetail } from '../../../http/console/operations/schemas.ts';
import { Link } from '../../routing/link.tsx';
import { hrefOf } from '../../routing/paths.ts';
import { Amount } from '../../ui/amount.tsx';
import { Badge } from '../../ui/badge.tsx';

interface SubjectProps {
  readonly actor: Pick<ActorDetail, 'id' | 'kind' | 'merchantId'>;
  readonly subject: NonNullable<ActorDetail['subject']>;
}

/** What an actor is about, in one line: amount, order, merchant, and the page of its customer. */
export function ActorSubject({ actor: { id, kind, merchantId }, subject }: SubjectProps) {
  const { merchantName, mode, label } = subject;
  const isPayment = kind === 'transaction';
  return (
    <>
      {mode === 'test' ? <Badge tone="warn">test</Badge> : null} <Price subject={subject} />
      {label === null ? null : `${isPayment ? 'order ' : ''}${label} · `}
      {merchantId === null ? merchantName : <Link href={hrefOf('merchant', { id: merchantId })}>{merchantName}</Link>}
      {isPayment ? (
        <>
          {' · '}
          <a href={`/transaction/${encodeURIComponent(id)}`} target="_blank" rel="noreferrer noopener">
            Payment page
          </a>
        </>
      ) : null}
    </>
  );
}

// Helpers

function Price({ subject }: Pick<SubjectProps, 'subject'>) {
  const { amountFiat, currencyFiat, amountCrypto, crypto } = subject;
  if (amountFiat === null || currencyFiat === null) return null;
  return (
    <>
      <Amount value={amountFiat} currency={currencyFiat} />
      {amountCrypto === null || crypto === null ? null : (
        <>
          {' in '}
          <Amount value={amountCrypto} currency={crypto} />
        </>
      )}
      {' · '}
    </>
  );
}

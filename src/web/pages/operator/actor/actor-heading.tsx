import type { ActorDetail } from '../../../../http/console/operator/schemas.ts';
import { useCharts } from '../../../api/operator.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Badge, toneOf } from '../../../ui/badge.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { Amount } from '../../../ui/values/amount.tsx';
import { TimeSpent } from '../../../ui/values/timestamp.tsx';
import { lastAttemptText } from '../failure-text.ts';
import { confirmationText } from './confirmation-text.ts';

interface ActorHeadingProps {
  readonly id: string;
  readonly actor: ActorDetail | undefined;
  /** The page shows an earlier step; the heading does not. */
  readonly isPast: boolean;
}

/** The id of an actor and its present state. */
export function ActorHeading({ id, actor, isPast }: ActorHeadingProps) {
  return (
    <>
      <h1 className="mono wrap actor-id">
        {id}
        <Copy text={id} label="the id" />
      </h1>
      {actor === undefined ? null : (
        <>
          <span className="soft">
            {isPast ? 'Now: ' : null}
            <Badge tone={toneOf(actor.state)}>{actor.state}</Badge> <TimeSpent since={actor.since} />
          </span>
          <StateDescription actor={actor} />
          {actor.isSound ? null : <Badge tone="bad">differs from its journal</Badge>}
        </>
      )}
    </>
  );
}

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

/** What its state means and what it waits for, as the list form of the chart has it. */
function StateDescription({ actor }: { readonly actor: ActorDetail }) {
  const { kind, state } = actor;
  const chart = useCharts().data?.find((one) => one.kind === kind);
  const described = chart?.states.find(({ path }) => path === state);
  if (described === undefined) return null;
  const { description, waitsFor } = described;
  const waits = waitsFor === null ? '' : `Waits for ${waitsFor}.`;
  return (
    <span className="soft">
      {[description, waits, confirmationText(actor), lastAttemptText(actor)].join(' ').trim()}
    </span>
  );
}

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

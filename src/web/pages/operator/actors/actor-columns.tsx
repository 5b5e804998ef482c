import '../../../styles/operator.css';
import type { ListedActor } from '../../../../http/console/operator/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Badge, toneOf } from '../../../ui/badge.tsx';
import { type Column, Dash } from '../../../ui/lists/table.tsx';
import { Amount } from '../../../ui/values/amount.tsx';
import { ShortId } from '../../../ui/values/short-id.tsx';
import { Countdown, Since } from '../../../ui/values/timestamp.tsx';
import { countText } from '../../../ui/values/word-text.ts';

export function actorColumnsOf(kind: string): readonly Column<ListedActor>[] {
  return COLUMNS.map((column) =>
    column.id === 'label' ? { ...column, title: LABEL_TITLES[kind] ?? 'About' } : column,
  );
}

// Helpers

const LABEL_TITLES: Readonly<Record<string, string>> = {
  transaction: 'Order',
  delivery: 'Event and endpoint',
  schedule: 'Reference',
};

const COLUMNS: readonly Column<ListedActor>[] = [
  {
    id: 'id',
    opensRow: true,
    title: 'Actor',
    cell: ({ id, state, subject }) => (
      <>
        <ShortId id={id} href={hrefOf('actor', { id })} />
        <span className="actor-about">
          {subject?.merchantName ?? '–'} <Price subject={subject} />
        </span>
        <span className="actor-about-state">
          <Badge tone={toneOf(state)}>{state}</Badge>
        </span>
      </>
    ),
  },
  {
    id: 'state',
    title: 'State',
    cell: ({ state, deadLetters }) => (
      <>
        <Badge tone={toneOf(state)}>{state}</Badge>{' '}
        {deadLetters === 0 ? null : <Badge tone="bad">{countText(deadLetters, 'dead letter')}</Badge>}
      </>
    ),
  },
  { id: 'merchant', title: 'Merchant', isSecondary: true, cell: (actor) => <Merchant actor={actor} /> },
  {
    id: 'amount',
    title: 'Amount',
    isNumber: true,
    isSecondary: true,
    cell: ({ subject }) => <Price subject={subject} />,
  },
  {
    id: 'label',
    title: 'About',
    isCut: true,
    isSecondary: true,
    cell: ({ subject }) => (subject === null ? <Dash /> : <Label text={subject.label} />),
  },
  { id: 'since', title: 'In state since', isNumber: true, cell: ({ since }) => <Since at={since} /> },
  {
    id: 'timer',
    title: 'Next timer',
    isSecondary: true,
    cell: ({ nextTimer }) => (nextTimer === null ? <Dash /> : <TimerCountdown timer={nextTimer} />),
  },
];

function Merchant({ actor: { merchantId: id, subject } }: { readonly actor: ListedActor }) {
  if (id === null) return <Dash />;
  if (subject === null) return <ShortId id={id} href={hrefOf('merchant', { id })} />;
  return (
    <>
      <Link href={hrefOf('merchant', { id })}>{subject.merchantName}</Link>
      {subject.mode === 'test' ? (
        <>
          {' '}
          <Badge tone="warn">test</Badge>
        </>
      ) : null}
    </>
  );
}

/** The price in the shop's currency, and the coin it is paid in. */
function Price({ subject }: Pick<ListedActor, 'subject'>) {
  const { amountFiat = null, currencyFiat = null, crypto = null } = subject ?? {};
  if (amountFiat === null || currencyFiat === null) return <Dash />;
  return (
    <>
      <Amount value={amountFiat} currency={currencyFiat} />
      {crypto === null ? null : <span className="soft"> in {crypto}</span>}
    </>
  );
}

function Label({ text }: { readonly text: string | null }) {
  return text === null ? <Dash /> : <span title={text}>{text}</span>;
}

function TimerCountdown({ timer }: { readonly timer: NonNullable<ListedActor['nextTimer']> }) {
  return (
    <>
      {timer.name}{' '}
      <span className="soft">
        {timer.firesAt === null ? `at height ${timer.height ?? '?'}` : <Countdown at={timer.firesAt} />}
      </span>
    </>
  );
}

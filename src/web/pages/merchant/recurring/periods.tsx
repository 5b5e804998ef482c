import type { PeriodInfo } from '../../../../http/console/merchant/recurring/schemas.ts';
import { usePeriods } from '../../../api/recurring.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { type Column, Dash } from '../../../ui/lists/table.tsx';
import { ListCard } from '../../list-card.tsx';
import { PERIOD_WORDS } from './schedule-labels.ts';
import { Day } from './when.tsx';

interface PeriodsProps {
  readonly id: string;
  readonly hasBegun: boolean;
}

/** Every requested or skipped period, with its payments. */
export function Periods({ id, hasBegun }: PeriodsProps) {
  const periods = usePeriods(id);
  return (
    <ListCard
      query={periods}
      loading="Loading the requested payments"
      lines={6}
      title="Requests"
      label="Requested payments"
      rowsOf={({ pages }) => pages.flatMap((page) => page.periods)}
      keyOf={({ periodNo }) => String(periodNo)}
      columns={COLUMNS}
      empty={
        <EmptyState title="Nothing requested yet">
          {hasBegun ? null : 'The first payment appears here once the customer has agreed and it is due.'}
        </EmptyState>
      }
    />
  );
}

// Helpers

const COLUMNS: readonly Column<PeriodInfo>[] = [
  { id: 'no', title: 'No.', isNumber: true, cell: ({ periodNo }) => periodNo.toLocaleString('en') },
  { id: 'status', title: 'State', opensRow: true, cell: (period) => <PeriodState period={period} /> },
  { id: 'due', title: 'Due', cell: ({ dueAt }) => <Day at={dueAt} /> },
  {
    id: 'settled',
    title: 'Closed',
    isSecondary: true,
    cell: ({ settledAt }) => (settledAt === null ? <Dash /> : <Day at={settledAt} />),
  },
  {
    id: 'payments',
    title: 'Payments',
    isSecondary: true,
    isCut: true,
    cell: (period) => <PaymentsOf period={period} />,
  },
  { id: 'link', title: 'Link', isNumber: true, cell: (period) => <PayLink period={period} /> },
];

function PeriodState({
  period: { status, remindersSent, excessPaymentIds, paymentId },
}: {
  readonly period: PeriodInfo;
}) {
  const { word, tone } = PERIOD_WORDS[status];
  return (
    <>
      {paymentId === null ? (
        <Badge tone={tone}>{word}</Badge>
      ) : (
        <Link href={hrefOf('payment', { id: paymentId })}>
          <Badge tone={tone}>{word}</Badge>
        </Link>
      )}
      {excessPaymentIds.length === 0 ? null : (
        <>
          {' '}
          <Badge tone="warn">paid twice</Badge>
        </>
      )}
      {status === 'awaited' && remindersSent > 0 ? <span className="soft"> reminded {remindersSent}×</span> : null}
    </>
  );
}

function PaymentsOf({
  period: { attemptIds, excessPaymentIds, paymentId, periodNo },
}: {
  readonly period: PeriodInfo;
}) {
  if (attemptIds.length === 0) return <span className="soft">none started</span>;
  return (
    <span className="recurring-payments">
      {attemptIds.map((id, index) => (
        <Link key={id} href={hrefOf('payment', { id })}>
          {id === paymentId ? 'paid' : excessPaymentIds.includes(id) ? 'duplicate' : `try ${attemptIds.length - index}`}
          <span className="unseen"> of period {periodNo}</span>
        </Link>
      ))}
    </span>
  );
}

function PayLink({ period: { paymentUrl, periodNo } }: { readonly period: PeriodInfo }) {
  if (paymentUrl === null) return <Dash />;
  return (
    <>
      <a href={paymentUrl} target="_blank" rel="noreferrer noopener">
        Open<span className="unseen"> what the customer sees of period {periodNo}</span>
      </a>{' '}
      <Copy text={paymentUrl} label={`the link of period ${periodNo}`} />
    </>
  );
}

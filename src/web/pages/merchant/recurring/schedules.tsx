import '../../../styles/recurring.css';
import { useState } from 'react';
import type { ScheduleInfo } from '../../../../http/console/merchant/recurring/schemas.ts';
import { useSchedules } from '../../../api/recurring.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { navigate, useMode, useSearchParams } from '../../../routing/router.ts';
import { Page } from '../../../shell/page.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { type Column, Dash } from '../../../ui/lists/table.tsx';
import { Amount } from '../../../ui/values/amount.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { ListCard } from '../../list-card.tsx';
import { CreateSchedule } from './create-schedule.tsx';
import { ScheduleFilters } from './schedule-filters.tsx';
import { INTERVAL_WORDS, statusWord } from './schedule-labels.ts';
import { When } from './when.tsx';

/** Recurring payment requests. The filter is in the URL. */
export function SchedulesPage() {
  const mode = useMode();
  const query = useSearchParams();
  const filter = { status: query.get('status') ?? '', reference: query.get('reference') ?? '' };
  const isFiltered = filter.status !== '' || filter.reference !== '';
  const schedules = useSchedules(filter);
  const isEmpty = !isFiltered && schedules.data?.pages[0]?.total === 0;
  const [isCreating, setIsCreating] = useState(false);
  const needsApproval = schedules.data?.pages[0]?.needsApproval === true;
  const create = (
    <Button variant="main" disabled={needsApproval} onClick={() => setIsCreating(true)}>
      New recurring payment request
    </Button>
  );
  return (
    <Page
      title="Recurring"
      about="Your customer agrees once by email, then receives a payment link every week, month, quarter or year. Nothing is charged automatically."
      actions={isEmpty ? undefined : create}
    >
      {needsApproval ? (
        <p className="notice" role="status">
          Your account is awaiting approval. You can’t email customers until the operator of this service approves it.
          Test mode works now.
        </p>
      ) : null}
      {isEmpty ? null : <ScheduleFilters filter={filter} />}
      <ListCard
        query={schedules}
        loading="Loading recurring requests"
        lines={8}
        label="Recurring requests"
        isOld={schedules.isPlaceholderData}
        asCards
        rowsOf={({ pages }) => pages.flatMap((page) => page.schedules)}
        totalOf={({ pages }) => pages[0]?.total ?? 0}
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={
          isFiltered ? (
            <EmptyState title="Nothing matches">
              <Link href={hrefOf('schedules', {})}>Show all</Link>
            </EmptyState>
          ) : (
            <EmptyState title={mode === 'test' ? 'No test requests yet' : 'No requests yet'} action={create}>
              For subscriptions, rent or a monthly box. Choose the customer, the amount and the interval.
            </EmptyState>
          )
        }
      />
      <Dialog title="New recurring payment request" isWide isOpen={isCreating} close={() => setIsCreating(false)}>
        <CreateSchedule
          close={() => setIsCreating(false)}
          created={({ id }) => {
            setIsCreating(false);
            navigate(hrefOf('schedule', { id }));
          }}
        />
      </Dialog>
    </Page>
  );
}

// Helpers

const COLUMNS: readonly Column<ScheduleInfo>[] = [
  {
    id: 'customer',
    opensRow: true,
    title: 'Customer',
    isCut: true,
    cell: ({ id, customerEmail, reference }) => (
      <>
        <Link href={hrefOf('schedule', { id })}>{customerEmail}</Link>
        {reference === null ? null : <span className="soft"> {reference}</span>}
      </>
    ),
  },
  {
    id: 'what',
    title: 'Description',
    isSecondary: true,
    cell: ({ description }) => (
      <span className="recurring-what" title={description}>
        {description}
      </span>
    ),
  },
  {
    id: 'amount',
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
  {
    id: 'often',
    title: 'How often',
    isSecondary: true,
    isOnCard: true,
    cell: ({ interval }) => INTERVAL_WORDS[interval],
  },
  {
    id: 'state',
    title: 'State',
    cell: (schedule) => <Badge tone={statusWord(schedule).tone}>{statusWord(schedule).word}</Badge>,
  },
  {
    id: 'next',
    title: 'Next payment',
    isNumber: true,
    isSecondary: true,
    cell: ({ nextDueAt }) => (nextDueAt === null ? <Dash /> : <When at={nextDueAt} />),
  },
];

import { useMemo, useRef } from 'react';
import type { PaymentFilter, PaymentTotal } from '../../../../http/console/merchant/payments/schemas.ts';
import { paymentsFileHref, usePayments } from '../../../api/payments.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { useMode, useSearchParams } from '../../../routing/router.ts';
import { Page } from '../../../shell/page.tsx';
import { useShortcut } from '../../../state/shortcuts.ts';
import { Await } from '../../../ui/await.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { SavedViews } from '../../../ui/lists/saved-views.tsx';
import { Table } from '../../../ui/lists/table.tsx';
import { errorText } from '../../../ui/problem.tsx';
import { PAYMENT_COLUMNS } from './payment-columns.tsx';
import { filterIn } from './payment-filter.ts';
import { isWrongWay, PaymentFilters } from './payment-filters.tsx';

/** A merchant's payments, newest first, filtered by the URL. */
export function PaymentsPage() {
  const filter = filterIn(useSearchParams());
  const search = useRef<HTMLInputElement>(null);
  useShortcut('/', 'Search', () => search.current?.focus());
  return (
    <Page title="Payments" actions={isWrongWay(filter) ? undefined : <FileLink filter={filter} />}>
      <PaymentFilters filter={filter} search={search} />
      <SavedViews page="payments" />
      {isWrongWay(filter) ? (
        <Card>
          <Nothing filter={filter} />
        </Card>
      ) : (
        <PaymentList filter={filter} />
      )}
    </Page>
  );
}

// Helpers

function FileLink({ filter }: { readonly filter: PaymentFilter }) {
  const mode = useMode();
  return (
    <a
      className="button button-plain"
      href={paymentsFileHref(mode, filter)}
      download
      title="All listed payments, with their value in your currency, for spreadsheets"
    >
      Export as CSV
    </a>
  );
}

function PaymentList({ filter }: { readonly filter: PaymentFilter }) {
  const payments = usePayments(filter);
  const rows = useMemo(() => payments.data?.pages.flatMap((page) => page.payments) ?? [], [payments.data]);
  return (
    <Await query={payments} label="Loading payments" lines={12}>
      {({ pages: [first] }) => (
        <Card className={payments.isPlaceholderData ? 'card-flush payments is-old' : 'card-flush payments'}>
          {first?.hasAny === false ? <NothingYet /> : null}
          {first?.hasAny !== false && rows.length === 0 ? <Nothing filter={filter} /> : null}
          {rows.length === 0 ? null : (
            <>
              <Table
                label="Payments"
                columns={PAYMENT_COLUMNS}
                rows={rows}
                keyOf={({ id }) => id}
                asCards
                more={payments}
              />
              <div className="table-foot">
                <span role="status">{countText(rows.length, first?.total ?? null)}</span>
                {payments.isFrozen ? (
                  <span>
                    New payments do not appear while you are scrolled down.{' '}
                    <Button variant="quiet" onClick={payments.startAnew}>
                      Show latest
                    </Button>
                  </span>
                ) : null}
                {payments.isFetchingNextPage ? <span>Loading more…</span> : null}
                {payments.isFetchNextPageError ? <span>{errorText(payments.error)}</span> : null}
              </div>
            </>
          )}
        </Card>
      )}
    </Await>
  );
}

function NothingYet() {
  const isTest = useMode() === 'test';
  return (
    <EmptyState
      title={isTest ? 'No test payments yet' : 'No payments yet'}
      action={
        <Link className="button button-main" href={hrefOf('overview', {}, {}, 'test')}>
          Create a test payment
        </Link>
      }
    >
      {isTest
        ? 'A test payment costs nothing and shows you every step.'
        : 'Payments appear here as soon as your shop creates one. To see how it works, create a test payment: it costs nothing.'}
    </EmptyState>
  );
}

/** What a search compares with its text, where there was one. */
function Nothing({ filter }: { readonly filter: PaymentFilter }) {
  const showAll = (
    <Link className="button button-main" href={hrefOf('payments', {})}>
      Show all payments
    </Link>
  );
  return (
    <EmptyState title="Nothing matches" action={showAll}>
      {filter.search === undefined
        ? 'No payment matches all of these filters.'
        : 'Order ids and payment ids match from the start. Titles of payment links and recurring requests match any part. Email addresses, deposit addresses, transaction ids and metadata values match only in full.'}
    </EmptyState>
  );
}

function countText(shown: number, total: PaymentTotal | null): string {
  const rows = shown.toLocaleString('en');
  if (total === null) return `${rows} shown`;
  const all = Math.max(total.count, shown).toLocaleString('en');
  return total.isAtLeast ? `${rows} of more than ${all}` : `${rows} of ${all}`;
}

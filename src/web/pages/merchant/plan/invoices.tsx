import type { InvoiceInfo } from '../../../../http/console/merchant/plan/schemas.ts';
import { useInvoices } from '../../../api/plan.ts';
import { useMode } from '../../../routing/router.ts';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import type { Column } from '../../../ui/lists/table.tsx';
import { Amount } from '../../../ui/values/amount.tsx';
import { PaymentStatus } from '../../../ui/values/payment-status-badge.tsx';
import { Timestamp } from '../../../ui/values/timestamp.tsx';
import { ListCard } from '../../list-card.tsx';
import { PURCHASE_WORDS } from './labels.ts';

/** Paid and unpaid invoices of plans. */
export function Invoices({ isOnSale }: { readonly isOnSale: boolean }) {
  const invoices = useInvoices();
  const mode = useMode();
  // Where no plan can be bought, there are no test purchases to look for.
  if (mode === 'test' && !isOnSale && !invoices.isError && (invoices.data?.pages[0]?.total ?? 0) === 0) return null;
  return (
    <section className="invoices" aria-labelledby="invoices-title">
      <div className="card-head">
        <h2 id="invoices-title">{mode === 'test' ? 'Test invoices' : 'Invoices'}</h2>
      </div>
      <ListCard
        query={invoices}
        loading="Loading invoices"
        lines={4}
        label="Invoices"
        asCards
        rowsOf={({ pages }) => pages.flatMap((page) => page.invoices)}
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={<EmptyState title="No invoice yet">Your purchases appear here, each with its payment page.</EmptyState>}
      />
    </section>
  );
}

// Helpers

const COLUMNS: readonly Column<InvoiceInfo>[] = [
  { id: 'when', title: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { id: 'what', title: 'For', isSecondary: true, isOnCard: true, cell: ({ purchase }) => PURCHASE_WORDS[purchase] },
  { id: 'status', title: 'Status', cell: ({ status }) => <PaymentStatus status={status} /> },
  { id: 'coin', title: 'Paid in', isSecondary: true, cell: ({ crypto }) => crypto },
  {
    id: 'amount',
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
  { id: 'page', title: 'Page', isNumber: true, opensRow: true, cell: (invoice) => <PageLink invoice={invoice} /> },
];

function PageLink({ invoice: { paymentUrl, id, status } }: { readonly invoice: InvoiceInfo }) {
  if (!/^https?:\/\//.test(paymentUrl)) return <code>{id}</code>;
  const word = status === 'pending' || status === 'partial' ? 'Pay' : 'Open';
  return (
    <a href={paymentUrl} target="_blank" rel="noreferrer noopener" aria-label={`${word} invoice ${id}`}>
      {word}
    </a>
  );
}

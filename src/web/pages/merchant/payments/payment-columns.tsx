import '../../../styles/payments.css';
import type { PaymentListItem } from '../../../../http/console/merchant/payments/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import type { Column } from '../../../ui/lists/table.tsx';
import { Amount } from '../../../ui/values/amount.tsx';
import { PaymentStatus } from '../../../ui/values/payment-status-badge.tsx';
import { ShortId } from '../../../ui/values/short-id.tsx';
import { timestampText, zoneText } from '../../../ui/values/time-text.ts';

const ZONE = zoneText(Date.now());

/** The columns of the list. The link comes first in a row, so that Enter opens it. */
export const PAYMENT_COLUMNS: readonly Column<PaymentListItem>[] = [
  { id: 'when', title: `When (${ZONE})`, cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    id: 'order',
    opensRow: true,
    title: 'Order, title or id',
    isCut: true,
    cell: ({ id, orderId, title }) =>
      orderId === null && title === null ? (
        <ShortId id={id} href={hrefOf('payment', { id })} />
      ) : (
        <Link href={hrefOf('payment', { id })} title={orderId ?? title ?? ''}>
          {orderId ?? title}
        </Link>
      ),
  },
  {
    id: 'status',
    title: 'Status',
    cell: ({ status, exception, loss }) => <PaymentStatus status={status} exception={exception} loss={loss} />,
  },
  {
    id: 'customer',
    title: 'Customer',
    isSecondary: true,
    cell: ({ customerEmail }) => <span className="payment-customer">{customerEmail ?? NOTHING}</span>,
  },
  {
    id: 'amount',
    title: 'Amount',
    isNumber: true,
    cell: ({ amountFiat, currencyFiat }) => <Amount value={amountFiat} currency={currencyFiat} />,
  },
  {
    id: 'paid',
    title: 'Paid',
    isNumber: true,
    isSecondary: true,
    isOnCard: true,
    cell: (payment) => <PaidOfDue payment={payment} />,
  },
];

// Helpers

const NOTHING = '–';
const NO_BREAK_SPACE = '\u00a0';

/**
 * Amount received and amount due, in coins; written once where both are equal. Cards have room for
 * the coin alone.
 */
function PaidOfDue({ payment }: { readonly payment: PaymentListItem }) {
  const { amountPaid, amountDue, crypto } = payment;
  return (
    <>
      <span className="payment-coins">
        {amountPaid === amountDue ? null : (
          <>
            <Amount value={amountPaid} /> <span className="soft">of</span>{' '}
          </>
        )}
        <Amount value={amountDue} />
        {NO_BREAK_SPACE}
      </span>
      {crypto}
    </>
  );
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short' });
const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', year: 'numeric' });
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/**
 * Day and time, to compare with an order. The tooltip adds year, second and time zone. Another year
 * is always shown, and so is a zone that the column title does not name.
 */
function When({ at }: { readonly at: number }) {
  const zone = zoneText(at);
  const isThisYear = new Date(at).getFullYear() === new Date().getFullYear();
  return (
    <time className="moment" dateTime={new Date(at).toISOString()} title={timestampText(at)}>
      {(isThisYear ? DAY : DAY_OF_YEAR).format(at)} {TIME.format(at)}
      <span className={zone === ZONE ? 'only-on-card' : undefined}> {zone}</span>
    </time>
  );
}

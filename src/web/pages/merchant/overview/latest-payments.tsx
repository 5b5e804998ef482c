import type { PaymentListItem } from '../../../../http/console/merchant/payments/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { useMode } from '../../../routing/router.ts';
import { Amount } from '../../../ui/amount.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PaymentStatus } from '../../../ui/payment-status.tsx';
import { ShortId } from '../../../ui/short-id.tsx';
import { Timestamp } from '../../../ui/timestamp.tsx';

/** The newest payments of the current mode. */
export function LatestPayments({ payments }: { readonly payments: readonly PaymentListItem[] }) {
  const mode = useMode();
  return (
    <Card
      title="Latest payments"
      actions={<Link href={hrefOf('payments', {})}>All payments</Link>}
      className="card-latest"
    >
      {payments.length === 0 ? (
        <EmptyState title={mode === 'test' ? 'No test payments yet' : 'No payments yet'}>
          {mode === 'test'
            ? 'Create one in the first steps above, or with a test key.'
            : 'Payments appear here as soon as a customer starts to pay. Switch to test mode at the top to see test payments.'}
        </EmptyState>
      ) : (
        <ul className="lines">
          {payments.map((payment) => (
            <li key={payment.id} className="latest">
              <span className="latest-name wrap">
                {payment.orderId === null && payment.title === null ? (
                  <ShortId id={payment.id} href={hrefOf('payment', { id: payment.id })} />
                ) : (
                  <Link href={hrefOf('payment', { id: payment.id })}>{payment.orderId ?? payment.title}</Link>
                )}
              </span>
              <span className="latest-status">
                <PaymentStatus status={payment.status} exception={payment.exception} loss={payment.loss} />
              </span>
              <span className="latest-amount">
                <Amount value={payment.amountFiat} currency={payment.currencyFiat} />
              </span>
              <span className="soft latest-when">
                <Timestamp at={payment.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

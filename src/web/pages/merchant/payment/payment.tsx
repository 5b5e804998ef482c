import '../../../styles/payment.css';
import { useEffect, useState } from 'react';
import type { DecisionName, PaymentInfo } from '../../../../http/console/merchant/payment/schemas.ts';
import { usePayment } from '../../../api/payments.ts';
import { RequestFailure } from '../../../api/request.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { navigate, useMode } from '../../../routing/router.ts';
import { BackLink } from '../../../shell/back-link.tsx';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { amountText } from '../../../ui/values/amount-text.ts';
import { PaymentStatus } from '../../../ui/values/payment-status-badge.tsx';
import { ClockAhead } from '../../../ui/values/timestamp.tsx';
import { type ChosenDecision, DecisionDialog, Decisions } from '../attention/decide.tsx';
import { Coins } from './coins.tsx';
import { Money } from './money.tsx';
import { PaymentDetails } from './payment-details.tsx';
import { Attention } from './settle-attention.tsx';
import { Simulate } from './simulate.tsx';
import { hasUnconfirmed, statusWordsOf } from './status-explanation.ts';
import { Timeline } from './timeline.tsx';
import { Webhooks } from './webhooks.tsx';

/** All details of one payment: status, next step, money, history, and actions. */
export function PaymentPage({ id }: { readonly id: string }) {
  const payment = usePayment(id);
  useModeOf(payment.data);
  if (payment.error instanceof RequestFailure && payment.error.status === 404) return <NoSuchPayment />;
  return (
    <Page
      title={payment.data === undefined ? 'Payment' : titleOf(payment.data)}
      heading={payment.data === undefined ? undefined : <Heading payment={payment.data} />}
      actions={payment.data === undefined ? undefined : <CustomersPage payment={payment.data} />}
    >
      <Await query={payment} label="Loading the payment" lines={12}>
        {(data) => (
          <div className="payment">
            <div className="payment-main">
              <StatusCard payment={data} />
              <Attention payment={data} />
              <Money payment={data} />
              <ClockAhead value={data.clockOffsetMs}>
                <Coins payment={data} />
                <Timeline payment={data} />
              </ClockAhead>
            </div>
            <div className="payment-side">
              <Simulate payment={data} />
              <ClockAhead value={data.clockOffsetMs}>
                <PaymentDetails payment={data} />
              </ClockAhead>
              <Webhooks payment={data} />
            </div>
          </div>
        )}
      </Await>
    </Page>
  );
}

// Helpers

/**
 * The URL of a payment works in either mode, but the page around it must show the payment's mode.
 */
function useModeOf(payment: PaymentInfo | undefined): void {
  const mode = useMode();
  useEffect(() => {
    if (payment === undefined || payment.mode === mode) return;
    navigate(hrefOf('payment', { id: payment.id }, {}, payment.mode), { replaces: true });
  }, [payment, mode]);
}

function titleOf({ orderId, due, currencyFiat }: PaymentInfo): string {
  return orderId === null ? `Payment of ${amountText(due.fiat, currencyFiat)}` : `Order ${orderId}`;
}

function Heading({ payment }: { readonly payment: PaymentInfo }) {
  return (
    <>
      <BackLink href={hrefOf('payments', {})} label="All payments" />
      <h1 className="wrap">{titleOf(payment)}</h1>
      <PaymentStatus status={payment.status} exception={payment.exception} loss={payment.loss} />
      <span className="payment-id">
        <code className="soft wrap">{payment.id}</code>
        <Copy text={payment.id} label="the payment id" />
      </span>
    </>
  );
}

function CustomersPage({ payment: { paymentUrl } }: { readonly payment: PaymentInfo }) {
  // The server built this URL; it is still checked before it becomes a link.
  if (!/^https?:\/\//.test(paymentUrl)) return null;
  return (
    <>
      <a className="button button-plain" href={paymentUrl} target="_blank" rel="noreferrer noopener">
        Open payment page
      </a>
      <Copy text={paymentUrl} label="the payment page URL" />
    </>
  );
}

function NoSuchPayment() {
  return (
    <Page title="Payment">
      <EmptyState title="Payment not found">
        It may belong to another account, or the URL is incomplete.{' '}
        <Link href={hrefOf('payments', {})}>All payments</Link>
      </EmptyState>
    </Page>
  );
}

/** The payment's status, its meaning, what comes next, and the decision if one is needed. */
function StatusCard({ payment }: { readonly payment: PaymentInfo }) {
  const [chosen, setChosen] = useState<ChosenDecision | null>(null);
  const { id: paymentId, orderId, decisions, step: seenStep } = payment;
  const { title, next, tone } = statusWordsOf(payment);
  const isConfirmed =
    !hasUnconfirmed(payment.splits) && payment.attention.every((item) => item.settledAt !== null || item.isConfirmed);
  const choose = (decision: DecisionName) => setChosen({ paymentId, decision, seenStep, stake: next, isConfirmed });
  return (
    <>
      <section className={`status-card status-card-${tone}`} aria-live="polite">
        <h2>{title}</h2>
        <p>{next}</p>
        <Decisions decisions={decisions} about={orderId ?? paymentId} isConfirmed={isConfirmed} choose={choose} />
      </section>
      <DecisionDialog chosen={chosen} close={() => setChosen(null)} />
    </>
  );
}

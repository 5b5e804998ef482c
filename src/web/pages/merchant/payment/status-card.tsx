import { useState } from 'react';
import type { DecisionName, PaymentInfo } from '../../../../http/console/merchant/payment/schemas.ts';
import { type ChosenDecision, DecisionDialog, Decisions } from '../attention/decide.tsx';
import { statusWordsOf } from './status-labels.ts';

/** The payment's status, its meaning, what comes next, and the decision if one is needed. */
export function StatusCard({ payment }: { readonly payment: PaymentInfo }) {
  const [chosen, setChosen] = useState<ChosenDecision | null>(null);
  const { id: paymentId, orderId, decisions, step: seenStep } = payment;
  const { title, next, tone } = statusWordsOf(payment);
  const isConfirmed = payment.attention.every((item) => item.settledAt !== null || item.isConfirmed);
  const choose = (decision: DecisionName) => setChosen({ paymentId, decision, seenStep, stake: next, isConfirmed });
  return (
    <>
      <section className={`status-card status-card-${tone}`} aria-live="polite">
        <h2>{title}</h2>
        <p>{next}</p>
        <Decisions decisions={decisions} about={orderId ?? paymentId} choose={choose} />
      </section>
      <DecisionDialog chosen={chosen} close={() => setChosen(null)} />
    </>
  );
}

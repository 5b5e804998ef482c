import { useState } from 'react';
import type { CryptoSymbol } from '../../../../../machines/index.ts';
import type { PlanChoice, PlanInfo, PlanPrice } from '../../../../http/console/merchant/plan/schemas.ts';
import { useCheckout } from '../../../api/plan.ts';
import { useMode } from '../../../routing/router.ts';
import { Button } from '../../../ui/button.tsx';
import { DetailList } from '../../../ui/card.tsx';
import { SelectField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { Amount } from '../../../ui/values/amount.tsx';
import { dayText } from '../../../ui/values/time-text.ts';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { monthsText, TIER_NAMES } from './labels.ts';

interface CheckoutDialogProps {
  readonly choice: PlanChoice;
  readonly price: PlanPrice;
  readonly payableIn: PlanInfo['payableIn'];
  close(): void;
}

/** Plan, price and end date; then a link to the payment page. */
export function CheckoutDialog({ choice, price, payableIn, close }: CheckoutDialogProps) {
  const mode = useMode();
  const checkout = useCheckout();
  const [coin, setCoin] = useState<CryptoSymbol | undefined>(payableIn[0]);
  const { tier } = choice.terms;
  const started = checkout.data;
  const isRenewal = choice.purchase === 'plan_renewal';
  const submit = () =>
    checkout.mutate({ mode, tier, billingMonths: price.months, ...(coin === undefined ? {} : { crypto: coin }) });
  return (
    <Dialog title={`${isRenewal ? 'Renew' : 'Choose'} ${TIER_NAMES[tier]}`} isOpen close={close}>
      <DetailList
        items={[
          ['You pay', <Amount key="price" value={price.usd} currency="USD" />],
          ['For', monthsText(price.months)],
          price.endsAt === null ? null : ['Plan end', dayText(price.endsAt)],
        ]}
      />
      {mode === 'test' ? (
        <p className="notice">This is test mode: no real money is paid, and your plan does not change.</p>
      ) : null}
      {started === undefined ? (
        <Form work={checkout} action="Create invoice" submit={submit} close={close}>
          <SelectField
            label="Pay in"
            value={coin ?? ''}
            hint="The amount in coins is fixed on the next page, at the current rate."
            onChange={(event) => setCoin(payableIn.find((symbol) => symbol === event.target.value))}
          >
            {payableIn.map((symbol) => (
              <option key={symbol}>{symbol}</option>
            ))}
          </SelectField>
          <p className="soft">
            {isRenewal
              ? 'As soon as the payment is confirmed, the plan is extended from its end, or from that moment if its grace period is over.'
              : 'The plan starts as soon as the payment is confirmed, and replaces your current one.'}{' '}
            Plans do not renew automatically, and nothing is charged later.
          </p>
        </Form>
      ) : (
        <>
          <p role="status">The invoice is created. Pay it on its page; it is also listed under Invoices.</p>
          <div className="button-row">
            <PaymentLink url={started.paymentUrl} />
            <Button onClick={close}>Later</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

// Helpers

/** A URL of this service, still checked before it becomes a link. */
function PaymentLink({ url }: { readonly url: string }) {
  if (!/^https?:\/\//.test(url)) return <code className="wrap">{url}</code>;
  return (
    <a className="button button-main" href={url} target="_blank" rel="noreferrer noopener">
      Open the payment page
    </a>
  );
}

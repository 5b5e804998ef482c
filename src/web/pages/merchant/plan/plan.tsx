import '../../../styles/plan.css';
import '../../../styles/statistics.css';
import { useState } from 'react';
import type { PlanChoice, PlanInfo, PlanPrice } from '../../../../http/console/merchant/plan/schemas.ts';
import { usePlan } from '../../../api/plan.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Card, DetailList } from '../../../ui/card.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { dayText } from '../../../ui/values/time-text.ts';
import { CheckoutDialog } from './checkout-dialog.tsx';
import { Invoices } from './invoices.tsx';
import { TIER_NAMES, termsOf } from './labels.ts';
import { PlanChoices } from './plan-choices.tsx';
import { PlanNotice } from './plan-notice.tsx';

/** The current plan, its usage, the plans on sale, and the invoices. */
export function PlanPage({ isOwner }: { readonly isOwner: boolean }) {
  const plan = usePlan();
  const [bought, setBought] = useState<{ readonly choice: PlanChoice; readonly price: PlanPrice } | null>(null);
  return (
    <Page title="Plan and invoices">
      <Await query={plan} label="Loading your plan" lines={8}>
        {(data) => (
          <>
            <PlanNotice {...data} />
            <CurrentPlan {...data} />
            <PlanChoices plan={data} isOwner={isOwner} buy={(choice, price) => setBought({ choice, price })} />
            {bought === null ? null : (
              <CheckoutDialog {...bought} payableIn={data.payableIn} close={() => setBought(null)} />
            )}
          </>
        )}
      </Await>
      <Invoices isOnSale={plan.data?.salesStatus === 'open'} />
    </Page>
  );
}

// Helpers

/** The current plan and its usage. */
function CurrentPlan({ held, used, resetsAt, salesStatus }: PlanInfo) {
  const { terms, condition } = held;
  const limit = terms.monthlyPayments;
  return (
    <Card
      title={salesStatus === 'without_plans' ? 'What you can do' : `Your plan: ${TIER_NAMES[terms.tier]}`}
      actions={<Badge tone={TONES[condition]}>{CONDITIONS[condition]}</Badge>}
    >
      <div className="current-plan">
        <div className="current-plan-usage">
          <h3>Paid payments this month</h3>
          {limit === null ? (
            <p className="statistic-value number">{used.toLocaleString('en')}</p>
          ) : (
            <Progress label="Payments used this month" done={used} total={limit} />
          )}
          <p className="soft">The count resets on {dayText(resetsAt)}. Simulated payments do not count.</p>
        </div>
        <DetailList
          items={[
            salesStatus === 'without_plans' ? null : ['Ends', endText(held)],
            salesStatus === 'without_plans' ? null : ['Source', ORIGINS[held.cycle ?? 'given']],
            ...termsOf(terms),
          ]}
        />
      </div>
    </Card>
  );
}

const CONDITIONS: Readonly<Record<PlanInfo['held']['condition'], string>> = {
  running: 'Active',
  in_grace: 'Ended, grace period',
  lapsed: 'Ended',
};
const ORIGINS = {
  given: 'Assigned by the operator',
  yearly: 'Bought yearly',
  monthly: 'Bought monthly',
} as const;
const TONES = { running: 'good', in_grace: 'warn', lapsed: 'bad' } as const;

/** Crypto payments cannot be charged automatically, so no plan renews automatically. */
function endText({ endsAt }: PlanInfo['held']): string {
  return endsAt === null ? 'never' : `${dayText(endsAt)}; it does not renew automatically`;
}

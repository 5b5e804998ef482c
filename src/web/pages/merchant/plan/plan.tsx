import '../../../styles/plan.css';
import { useState } from 'react';
import type { PlanChoice, PlanPrice } from '../../../../http/console/merchant/plan/schemas.ts';
import { usePlan } from '../../../api/plan.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { CheckoutDialog } from './checkout-dialog.tsx';
import { HeldPlan } from './held-plan.tsx';
import { Invoices } from './invoices.tsx';
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
            <HeldPlan {...data} />
            <PlanChoices plan={data} isOwner={isOwner} buy={(choice, price) => setBought({ choice, price })} />
            {bought === null ? null : (
              <CheckoutDialog {...bought} payableIn={data.payableIn} close={() => setBought(null)} />
            )}
          </>
        )}
      </Await>
      <Invoices />
    </Page>
  );
}

import { useState } from 'react';
import type { TierPlan } from '../../../../http/console/operator/merchant-schemas.ts';
import { useTierPlans } from '../../../api/merchants.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, DetailList } from '../../../ui/card.tsx';
import { capitalized } from '../../../ui/values/word-text.ts';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { ChangePlan } from './change-plan.tsx';

export function PlansPage({ mayAct }: { readonly mayAct: boolean }) {
  const plans = useTierPlans();
  const [changing, setChanging] = useState<TierPlan | null>(null);
  const close = () => setChanging(null);
  return (
    <Page title="Plans" about="Changes apply immediately to all merchants on the plan. Paid periods stay paid.">
      <Await query={plans} label="Loading plans" lines={10}>
        {({ plans: all, isOn }) => (
          <>
            {isOn ? null : (
              <p className="notice">
                Plans are turned off on this service: every merchant has one unlimited plan. Set PLANS to turn them on.
              </p>
            )}
            <div className="columns-4">
              {all.map((plan) => (
                <Card
                  key={plan.tier}
                  title={capitalized(plan.tier)}
                  actions={
                    mayAct ? (
                      <Button aria-label={`Change ${plan.tier}`} onClick={() => setChanging(plan)}>
                        Change
                      </Button>
                    ) : undefined
                  }
                >
                  <DetailList items={detailsOf(plan)} />
                </Card>
              ))}
            </div>
          </>
        )}
      </Await>
      <Dialog title={`Change ${changing?.tier ?? 'a plan'}`} isOpen={changing !== null} close={close}>
        {changing === null ? null : <ChangePlan key={changing.tier} plan={changing} close={close} />}
      </Dialog>
    </Page>
  );
}

// Helpers

function detailsOf(plan: TierPlan): readonly (readonly [string, string])[] {
  return [
    ['Monthly', priceText(plan.monthlyPriceUsd, 'custom')],
    ['Yearly', priceText(plan.yearlyPriceUsd, plan.monthlyPriceUsd === null ? 'custom' : '12 × monthly')],
    ['Completed payments a month', boundText(plan.monthlyTransactionLimit)],
    ['Webhook endpoints', boundText(plan.webhookLimit)],
    ['Keys restricted to IP addresses', plan.ipWhitelist ? 'yes' : 'no'],
    ['Payments with items', plan.createDetailed ? 'yes' : 'no'],
    ['Requests a minute', plan.apiRateLimitPerMinute.toLocaleString('en')],
    ['Requests an hour', plan.apiRateLimitPerHour.toLocaleString('en')],
  ];
}

function priceText(usd: string | null, without: string): string {
  if (usd === null) return without;
  return Number(usd) === 0 ? 'Free' : `${usd} USD`;
}

function boundText(bound: number | null): string {
  return bound === null ? 'unlimited' : bound.toLocaleString('en');
}

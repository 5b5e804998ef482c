import type { PlanChoice, PlanInfo, PlanPrice } from '../../../../http/console/merchant/plan/schemas.ts';
import { useSearchParams, useSetSearchParams } from '../../../routing/router.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, DetailList } from '../../../ui/card.tsx';
import { Amount } from '../../../ui/values/amount.tsx';
import { OBSTACLE_WORDS, SALES_STATUS_LABELS, TIER_NAMES, termsOf } from './labels.ts';

interface PlanChoicesProps {
  readonly plan: PlanInfo;
  readonly isOwner: boolean;
  buy(choice: PlanChoice, price: PlanPrice): void;
}

const MONTH = 1;
const YEAR = 12;

/** All plans side by side, with the same rows in the same order. */
export function PlanChoices({ plan, isOwner, buy }: PlanChoicesProps) {
  const isYearly = useSearchParams().get('pay') === 'yearly';
  const { salesStatus, choices, held } = plan;
  return (
    <section className="plan-choices" aria-labelledby="plan-choices-title">
      <div className="card-head">
        <h2 id="plan-choices-title">Plans</h2>
        {choices.length === 0 ? null : <PaySwitch isYearly={isYearly} />}
      </div>
      {salesStatus === 'open' ? null : <p className="notice notice-info">{SALES_STATUS_LABELS[salesStatus]}</p>}
      {salesStatus === 'open' && !isOwner ? <p className="soft">Only an owner of this account can buy plans.</p> : null}
      {choices.length === 0 ? null : (
        <ul className="plan-cards">
          {choices.map((choice) => (
            <li key={choice.terms.tier}>
              <PlanCard
                choice={choice}
                isCurrent={choice.terms.tier === held.terms.tier}
                price={choice.prices.find(({ months }) => months === (isYearly ? YEAR : MONTH)) ?? null}
                buy={salesStatus === 'open' && isOwner ? buy : null}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

// Helpers

function PaySwitch({ isYearly }: { readonly isYearly: boolean }) {
  const setQuery = useSetSearchParams();
  return (
    <fieldset className="segments">
      <legend className="unseen">Billing cycle</legend>
      <label className="segment">
        <input type="radio" name="pay" checked={!isYearly} onChange={() => setQuery({ pay: undefined })} />
        <span>Monthly</span>
      </label>
      <label className="segment">
        <input type="radio" name="pay" checked={isYearly} onChange={() => setQuery({ pay: 'yearly' })} />
        <span>Yearly</span>
      </label>
    </fieldset>
  );
}

function Price({ price }: Pick<PlanCardProps, 'price'>) {
  if (price === null) return 'Custom price';
  if (Number(price.usd) === 0) return 'Free';
  return (
    <>
      <Amount value={price.usd} currency="USD" />
      <span className="soft"> {price.months === YEAR ? 'a year' : 'a month'}</span>
    </>
  );
}

interface PlanCardProps {
  readonly choice: PlanChoice;
  readonly isCurrent: boolean;
  readonly price: PlanPrice | null;
  /** Null for users who cannot buy. */
  readonly buy: PlanChoicesProps['buy'] | null;
}

function PlanCard({ choice, isCurrent, price, buy }: PlanCardProps) {
  const { terms, obstacle, purchase } = choice;
  const name = TIER_NAMES[terms.tier];
  return (
    <Card
      title={name}
      className={isCurrent ? 'plan-card plan-card-current' : 'plan-card'}
      actions={isCurrent ? <Badge tone="good">current</Badge> : undefined}
    >
      <p className="plan-price">
        <Price price={price} />
      </p>
      <DetailList items={termsOf(terms)} />
      {buy === null || purchase === null || price === null ? null : (
        <Button variant={isCurrent ? 'plain' : 'main'} onClick={() => buy(choice, price)}>
          {isCurrent ? `Renew ${name}` : `Choose ${name}`}
        </Button>
      )}
      {buy === null || obstacle === null ? null : <p className="soft">{OBSTACLE_WORDS[obstacle]}</p>}
    </Card>
  );
}

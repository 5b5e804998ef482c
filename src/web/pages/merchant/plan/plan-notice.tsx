import type { PlanInfo } from '../../../../http/console/merchant/plan/schemas.ts';
import { dayText } from '../../../ui/values/time-text.ts';
import { TIER_NAMES } from './labels.ts';

/** Share of the limit from which a higher plan is suggested. */
const CLOSE_TO_LIMIT = 0.8;

/** The most severe problem of the plan that stops payments or soon will, and its meaning. */
export function PlanNotice({ held, used, allowance, resetsAt }: PlanInfo) {
  const { condition, endsAt, graceEndsAt, terms } = held;
  const name = TIER_NAMES[terms.tier];
  if (condition === 'lapsed' && endsAt !== null) {
    return (
      <div className="problem" role="alert">
        <p>
          <strong>
            Your {name} plan ended on {dayText(endsAt)}, so no new payment can be started.
          </strong>{' '}
          Open payments can still be paid, and all data stays readable. Renew the plan, or choose another, to continue.
        </p>
      </div>
    );
  }
  if (condition === 'in_grace' && endsAt !== null && graceEndsAt !== null) {
    return (
      <div className="notice" role="status">
        <p>
          <strong>
            Your {name} plan ended on {dayText(endsAt)}.
          </strong>{' '}
          Everything works until {dayText(graceEndsAt)}; after that no new payment can be started. If you renew now, the
          plan continues from the day it ended.
        </p>
      </div>
    );
  }
  const limit = terms.monthlyPayments;
  if (limit === null || allowance === null || limit === 0) return null;
  const usage = `${used.toLocaleString('en')} of ${limit.toLocaleString('en')} payments of this month are used`;
  if (used >= allowance) {
    return (
      <div className="problem" role="alert">
        <p>
          <strong>
            {usage}, so no new live payment can be started until {dayText(resetsAt)}.
          </strong>{' '}
          Open payments can still be paid. A higher plan takes effect immediately.
        </p>
      </div>
    );
  }
  if (used >= limit) {
    const left = allowance - used;
    return (
      <div className="notice" role="status">
        <p>
          <strong>{usage}.</strong> Because this is the first time, {left} more are allowed; then no new live payment
          can be started until {dayText(resetsAt)}. A higher plan takes effect immediately.
        </p>
      </div>
    );
  }
  if (used < limit * CLOSE_TO_LIMIT) return null;
  return (
    <div className="notice" role="status">
      <p>
        <strong>{usage}.</strong> Once all are used, no new live payment can be started until {dayText(resetsAt)}.
        Consider a higher plan.
      </p>
    </div>
  );
}

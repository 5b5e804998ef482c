import type { Recurring } from '../../api/index.ts';
import type { Clock } from '../../clock.ts';
import type { OutageNotice } from '../../outage-notice.ts';
import type { CreateDeps } from '../../payments/index.ts';
import {
  createCustomerLinks,
  createSchedule,
  decideSchedule,
  getSchedule,
  listPeriods,
  listSchedules,
  simulateSchedule,
  type Tokens,
} from '../../recurring/index.ts';

export interface RecurringBinding {
  readonly create: CreateDeps;
  readonly clock: Clock;
  /** Signs the links that period lists contain. */
  readonly tokens: Tokens;
  /** Limit of mails per merchant within 24 hours to customers who have not confirmed. */
  readonly maxUnconfirmed: number;
}

/** Binds the recurring payment requests of the merchant API to their use cases. */
export function bindRecurring(
  { create, clock, tokens, maxUnconfirmed }: RecurringBinding,
  { watch }: Pick<OutageNotice, 'watch'>,
): Recurring {
  const { db, engine, publicUrl } = create;
  const acting = { db, engine, clock, maxUnconfirmed };
  const showing = { db, links: createCustomerLinks({ publicUrl, tokens }) };
  return {
    create: (caller, request, idempotencyKey) =>
      watch(() => createSchedule({ ...create, clock }, caller, request, idempotencyKey)),
    get: (scope, scheduleId) => watch(() => getSchedule({ db }, scope, scheduleId)),
    list: (scope, request) => watch(() => listSchedules({ db }, scope, request)),
    periods: (scope, scheduleId, page) => watch(() => listPeriods(showing, scope, scheduleId, page)),
    decide: (scope, scheduleId, decision) => watch(() => decideSchedule(acting, scope, scheduleId, decision)),
    simulate: (scope, scheduleId, simulation) => watch(() => simulateSchedule(acting, scope, scheduleId, simulation)),
  };
}

import { Type } from 'typebox';
import { SECOND_MS } from '../../../../machines/index.ts';
import { MAX_ADVANCE_MS, SIMULATE_ACTIONS } from '../../../payments/index.ts';
import { SCHEDULE_SIMULATIONS } from '../../../recurring/index.ts';
import { MOMENT_PATTERN } from '../validation-problem.ts';
import { oneOf } from './primitives.ts';

/** For `advance_clock`, which takes one of the two. */
const CLOCK_MOVE = {
  seconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_ADVANCE_MS / SECOND_MS,
      description: 'Seconds by which advance_clock moves the clock; 10 years in total.',
    }),
  ),
  to: Type.Optional(
    Type.String({
      pattern: MOMENT_PATTERN,
      description: 'Time to which advance_clock moves the clock, instead of seconds.',
    }),
  ),
};

export const SimulateBody = Type.Object(
  {
    action: oneOf(SIMULATE_ACTIONS, {
      description: 'The event to simulate on the chain or clock of the transaction.',
    }),
    amount_crypto: Type.Optional(
      Type.Number({
        format: 'double',
        exclusiveMinimum: 0,
        description: 'In whole coins, for pay_partial, overpay and pay_late; each has a default.',
      }),
    ),
    ...CLOCK_MOVE,
  },
  { additionalProperties: false },
);

export const SimulateScheduleBody = Type.Object(
  {
    action: oneOf(SCHEDULE_SIMULATIONS, {
      description:
        'confirm, stop: the customer confirms or stops. bounce: an email bounces. advance_clock: time passes.',
    }),
    ...CLOCK_MOVE,
  },
  { additionalProperties: false },
);

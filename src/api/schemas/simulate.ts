import { Type } from 'typebox';
import { SIMULATE_ACTIONS } from '../../payments/index.ts';
import { oneOf } from './ref.ts';

const MAX_SECONDS = 366 * 24 * 60 * 60;

export const SimulateBody = Type.Object(
  {
    action: oneOf(SIMULATE_ACTIONS, {
      description: 'What happens on the chain, or to the clock, of the transaction.',
    }),
    amount_crypto: Type.Optional(
      Type.Number({
        format: 'double',
        exclusiveMinimum: 0,
        description: 'In whole coins, for pay_partial, overpay and pay_late; each has a fitting default.',
      }),
    ),
    seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_SECONDS,
        description: 'How far advance_clock moves the clock; 10 years in all.',
      }),
    ),
  },
  { additionalProperties: false },
);

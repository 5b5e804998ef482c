import { Type } from 'typebox';
import { DECISIONS, MAX_DECISION_REASON_CHARACTERS, SIMULATE_ACTIONS } from '../../../payments/index.ts';
import { oneOf } from './ref.ts';

export const DecisionBody = Type.Object(
  {
    action: oneOf(DECISIONS, {
      description: 'mark_paid or dismiss while the exception is paid_late; confirm or reject while it is needs_review.',
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: MAX_DECISION_REASON_CHARACTERS,
      description: 'The reason, for the record.',
    }),
    seen_step: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The `step` of the transaction that you saw. If an event has changed it since, the decision is refused.',
    }),
  },
  { additionalProperties: false },
);

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

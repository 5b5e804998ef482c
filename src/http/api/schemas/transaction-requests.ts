import { Type } from 'typebox';
import { DECISIONS, MAX_DECISION_REASON_CHARACTERS } from '../../../payments/index.ts';
import { oneOf } from './ref.ts';

export const DecisionBody = Type.Object(
  {
    action: oneOf(DECISIONS, {
      description: 'mark_paid or dismiss while the exception is paid_late; confirm or reject while it is needs_review.',
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: MAX_DECISION_REASON_CHARACTERS,
      description: 'The reason, recorded in the timeline and the audit log.',
    }),
    seen_step: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The `step` of the transaction when you read it. If an event has changed it since, the decision is rejected.',
    }),
  },
  { additionalProperties: false },
);

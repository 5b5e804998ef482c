import { ref } from './ref.ts';
import { TransactionEnvelope } from './transaction.ts';

/** The success response of every create. */
export const createdResponse = ref(TransactionEnvelope, {
  description: 'The transaction: a new one, or the original one when the idempotency key was used before.',
  headers: {
    'X-Idempotency-Replayed': {
      type: 'string',
      enum: ['true'],
      description: 'Present when the idempotency key was used before and nothing was created.',
    },
  },
});

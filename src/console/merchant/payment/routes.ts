import type { FastifyPluginAsync } from 'fastify';
import type { DecisionName, SimulationName } from '../../contract/payment.ts';
import { maybe, oneOf, readFields, text, textUpTo, whole } from '../../reading.ts';
import { memberOf } from '../member.ts';
import type { PaymentDesk } from './port.ts';

const MAX_REASON_CHARACTERS = 500;
const MAX_REQUEST_ID_CHARACTERS = 100;
/** A test clock can advance by at most 366 days at a time. */
const MAX_SECONDS = 31_622_400;

/** One payment: reading it, deciding about it, and simulating events of a test payment. */
export const paymentRoutes: FastifyPluginAsync<{ readonly payment: PaymentDesk }> = async (app, { payment }) => {
  app.get('/payments/:id', async (request) => {
    const { id } = readFields(request.params, { id: text });
    return { data: await payment.payment(memberOf(request), id) };
  });

  app.post('/payments/:id/decisions', async (request) => {
    const { id } = readFields(request.params, { id: text });
    const body = readFields(request.body, {
      decision,
      reason: textUpTo(MAX_REASON_CHARACTERS),
      seenStep: whole(1, Number.MAX_SAFE_INTEGER),
      requestId: textUpTo(MAX_REQUEST_ID_CHARACTERS),
    });
    return { data: await payment.decide(memberOf(request), id, body) };
  });

  app.post('/payments/:id/simulate', async (request) => {
    const { id } = readFields(request.params, { id: text });
    const body = readFields(request.body, { action, seconds: maybe(whole(1, MAX_SECONDS)) });
    return { data: await payment.simulate(memberOf(request), id, body) };
  });
};

// Helpers

const decision = oneOf<DecisionName>(['mark_paid', 'dismiss', 'confirm', 'reject']);

const action = oneOf<SimulationName>([
  'pay',
  'pay_partial',
  'overpay',
  'pay_late',
  'confirm',
  'double_spend',
  'reorg',
  'drop_balance',
  'advance_clock',
]);

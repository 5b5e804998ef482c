import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type BillingDeps, checkout } from '../../billing/index.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { BillingCheckoutBody, DEFAULT_BILLING_MONTHS } from '../schemas/billing.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/ref.ts';
import { TransactionEnvelope } from '../schemas/transaction.ts';

export const billingCheckoutRoute: FastifyPluginAsyncTypebox<BillingDeps> = async (app, deps) => {
  app.post(
    '/billing/checkout',
    {
      schema: {
        operationId: 'createBillingCheckout',
        summary: 'Buy a plan',
        description:
          'Starts a payment to the operator of this service; pay it at its `payment_url`. With a live key, the plan is yours in the moment the payment completes. With a test key no real money is paid, and no plan changes. The payment is the operator’s: follow it on its page and with GET /invoices.',
        tags: ['Billing'],
        body: BillingCheckoutBody,
        response: {
          201: ref(TransactionEnvelope, { description: 'The payment, of type billing.' }),
          ...failures(
            'INVALID_CRYPTO',
            'AMOUNT_TOO_LOW',
            'WALLET_NOT_CONFIGURED',
            'FORBIDDEN',
            'RATE_FETCH_FAILED',
            'ADDRESS_GENERATION_FAILED',
          ),
        },
      },
    },
    async (request, reply) => {
      const { tier, billing_months: billingMonths = DEFAULT_BILLING_MONTHS, crypto = null } = request.body;
      const transaction = await checkout(deps, callerOf(request), { tier, billingMonths, crypto });
      return reply.code(201).send({ success: true, data: transaction });
    },
  );
};

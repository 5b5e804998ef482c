import type { FastifyPluginAsync } from 'fastify';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES } from '../../../../machines/index.ts';
import { TerminalError } from '../../../errors.ts';
import { type FieldReader, oneOf, readFields } from '../../reading.ts';
import { memberOf, mode } from '../member.ts';
import type { OverviewDesk } from './port.ts';

/** The merchant's start page, for owners and staff. */
export const overviewRoutes: FastifyPluginAsync<{ readonly overview: OverviewDesk }> = async (app, { overview }) => {
  app.get('/overview', async (request) => ({
    data: await overview.read(memberOf(request), readFields(request.query, { mode })),
  }));

  app.post('/overview/test-payment', async (request, reply) => {
    const fields = { crypto: oneOf(CRYPTO_SYMBOLS), amount, currency: oneOf(FIAT_CURRENCIES) };
    const started = await overview.startTestPayment(memberOf(request), readFields(request.body, fields));
    return reply.code(201).send({ data: started });
  });
};

// Helpers

const DECIMAL = /^\d{1,9}(\.\d{1,2})?$/;

const amount: FieldReader<string> = (value, name) => {
  if (typeof value === 'string' && DECIMAL.test(value)) return value;
  throw new TerminalError('INVALID_AMOUNT', `${name} must be a price like 25 or 19.99`, { field: name });
};

import type { FastifyPluginAsync } from 'fastify';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES, INTERVALS, SCHEDULE_STATUSES } from '../../../../machines/index.ts';
import { TerminalError } from '../../../errors.ts';
import type { ScheduleDecisionName } from '../../contract/recurring.ts';
import { maybe, oneOf, readFields, textUpTo, whole } from '../../reading.ts';
import { memberOf, mode } from '../member.ts';
import { emailAddress, lineUpTo, scheduleId, webAddress } from './fields.ts';
import type { RecurringDesk, ScheduleStep } from './port.ts';

const MAX_REFERENCE_CHARACTERS = 255;
const MAX_DESCRIPTION_CHARACTERS = 500;
/** Monthly for a hundred years. */
const MAX_PERIODS = 1_200;
const MAX_OFFSET = 1_000_000;
/** Up to the year 9999. */
const moment = whole(0, 253_402_300_799_999);
const reference = lineUpTo(MAX_REFERENCE_CHARACTERS);
const offset = maybe(whole(0, MAX_OFFSET));

/** Recurring payment requests: list, create, read and decide. For owners and staff. */
export const recurringRoutes: FastifyPluginAsync<{ readonly recurring: RecurringDesk }> = async (
  app,
  { recurring },
) => {
  app.get('/recurring', async (request) => {
    const status = maybe(oneOf(SCHEDULE_STATUSES));
    const read = readFields(request.query, { mode, status, reference: maybe(reference), offset });
    const { status: only = null, reference: named = null, offset: from = 0 } = read;
    const filter = { mode: read.mode, status: only, reference: named, offset: from };
    return { data: await recurring.list(memberOf(request), filter) };
  });

  app.post('/recurring', async (request, reply) => {
    const read = readFields(request.body, {
      mode,
      requestId: textUpTo(100),
      customerEmail: emailAddress,
      description: lineUpTo(MAX_DESCRIPTION_CHARACTERS),
      amount: textUpTo(50),
      currency: oneOf(FIAT_CURRENCIES),
      interval: oneOf(INTERVALS),
      reference: maybe(reference),
      crypto: maybe(oneOf(CRYPTO_SYMBOLS)),
      startAt: maybe(moment),
      maxPeriods: maybe(whole(1, MAX_PERIODS)),
      successUrl: maybe(webAddress),
    });
    const made = await recurring.create(memberOf(request), {
      ...read,
      reference: read.reference ?? null,
      crypto: read.crypto ?? null,
      startAt: read.startAt ?? null,
      maxPeriods: read.maxPeriods ?? null,
      successUrl: read.successUrl ?? null,
    });
    return reply.code(201).send({ data: made });
  });

  app.get('/recurring/:id', async (request) => {
    const name = { ...idIn(request.params), ...readFields(request.query, { mode }) };
    return { data: await recurring.get(memberOf(request), name) };
  });

  app.get('/recurring/:id/periods', async (request) => {
    const { offset: from = 0, ...query } = readFields(request.query, { mode, offset });
    return { data: await recurring.periods(memberOf(request), { ...idIn(request.params), ...query }, from) };
  });

  for (const decision of DECISIONS) {
    app.post(`/recurring/:id/${decision}`, async (request) => {
      const name = { ...idIn(request.params), ...readFields(request.body, { mode }) };
      return { data: await recurring.decide(memberOf(request), name, decision) };
    });
  }

  app.post('/recurring/:id/simulate', async (request) => {
    const { id } = idIn(request.params);
    return { data: await recurring.simulate(memberOf(request), id, stepIn(request.body)) };
  });
};

// Helpers

const DECISIONS: readonly ScheduleDecisionName[] = ['pause', 'resume', 'cancel', 'resend-confirmation'];

function idIn(params: unknown): { readonly id: string } {
  return readFields(params, { id: scheduleId });
}

function stepIn(body: unknown): ScheduleStep {
  const action = oneOf(['advance_to', 'confirm', 'bounce', 'stop']);
  const { action: wanted, to } = readFields(body, { action, to: maybe(moment) });
  if (wanted === 'advance_to') {
    if (to !== undefined) return { action: wanted, to };
    throw new TerminalError('INVALID_REQUEST', 'to must say up to which moment time passes', { field: 'to' });
  }
  if (to === undefined) return { action: wanted };
  throw new TerminalError('INVALID_REQUEST', 'to goes with advance_to alone; leave it out', { field: 'to' });
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { DAY_MS } from '../../../../../machines/index.ts';
import {
  exportPayments,
  MAX_PAYMENTS_PER_PAGE,
  type PaymentSearch,
  searchPayments,
} from '../../../../payments/index.ts';
import { TerminalError } from '../../../../platform/errors.ts';
import { text, whole } from '../../schema.ts';
import { sendCsv } from '../csv.ts';
import type { MerchantDeps } from '../deps.ts';
import { memberOf } from '../member.ts';
import type { ReadSlots } from '../read-slots.ts';
import { Mode } from '../schemas.ts';
import { paymentsCsv } from './payments-csv.ts';
import { PaymentFilter } from './schemas.ts';

const DEFAULT_LIMIT = 100;
const DAY_CHARACTERS = '2026-11-22'.length;

const FileQuery = Type.Object({ mode: Mode, ...PaymentFilter.properties });
const PageQuery = Type.Object({
  ...FileQuery.properties,
  /** From the previous page. */
  cursor: Type.Optional(text(1_000)),
  limit: Type.Optional(whole(1, MAX_PAYMENTS_PER_PAGE)),
});

type PaymentsDeps = Pick<MerchantDeps, 'db' | 'clock'> & { readonly slots: ReadSlots };

export const paymentsRoutes: FastifyPluginAsyncTypebox<PaymentsDeps> = async (app, { db, clock, slots }) => {
  app.get('/payments', { schema: { querystring: PageQuery } }, async (request) => {
    const { mode, cursor = null, limit = DEFAULT_LIMIT, ...filter } = request.query;
    const { merchantId } = memberOf(request);
    const page = { search: searchOf(filter), cursor, limit };
    return { data: await slots.read(merchantId, () => searchPayments({ db }, { merchantId, mode }, page)) };
  });

  // A plain GET link: it changes nothing, and the browser shows the progress. Without a HEAD route,
  // which would read everything for nothing.
  const file = { schema: { querystring: FileQuery }, exposeHeadRoute: false };
  app.get('/payments.csv', file, async (request, reply) => {
    const { mode, ...filter } = request.query;
    const { merchantId } = memberOf(request);
    const pieces = paymentsCsv(exportPayments({ db }, { merchantId, mode }, { search: searchOf(filter) }));
    const today = new Date(clock.now()).toISOString().slice(0, DAY_CHARACTERS);
    return sendCsv(reply, { name: `payments-${mode}-${today}`, pieces: slots.stream(merchantId, pieces) });
  });
};

// Helpers

/** Trims the text of a filter. Throws `INVALID_REQUEST` for days in the wrong order. */
function searchOf({ from, to, search, ...filter }: PaymentFilter): PaymentSearch {
  const [createdFrom, lastDay] = [startOf(from), startOf(to)];
  if (createdFrom !== undefined && lastDay !== undefined && createdFrom > lastDay) {
    const message = 'to must not be before from; swap the two days';
    throw new TerminalError('INVALID_REQUEST', message, { field: 'to' });
  }
  const text = search?.trim();
  return {
    ...filter,
    createdFrom,
    // The last day is included.
    createdTo: lastDay === undefined ? undefined : lastDay + DAY_MS,
    text: text === '' ? undefined : text,
  };
}

/** Start of a UTC day in Unix ms. */
function startOf(day: string | undefined): number | undefined {
  return day === undefined ? undefined : Date.parse(`${day}T00:00:00Z`);
}

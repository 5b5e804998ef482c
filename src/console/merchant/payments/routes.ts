import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { MAX_PAYMENTS_PER_PAGE, type Scope } from '../../../payments/index.ts';
import { maybe, readFields, text, whole } from '../../reading.ts';
import { memberOf, mode } from '../member.ts';
import { paymentsCsv } from './payments-csv.ts';
import type { PaymentsDesk } from './port.ts';
import { FILTER_FIELDS, searchOf } from './read-filter.ts';

const DEFAULT_LIMIT = 100;

/** The list of a merchant's payments, and its CSV export. */
export const paymentsRoutes: FastifyPluginAsync<{ readonly payments: PaymentsDesk }> = async (app, { payments }) => {
  app.get('/payments', async (request) => {
    const query = readFields(request.query, {
      mode,
      ...FILTER_FIELDS,
      cursor: maybe(text),
      limit: maybe(whole(1, MAX_PAYMENTS_PER_PAGE)),
    });
    const page = await payments.list(scopeOf(request, query.mode), {
      search: searchOf(query),
      cursor: query.cursor ?? null,
      limit: query.limit ?? DEFAULT_LIMIT,
    });
    return { data: page };
  });

  // A plain GET link: it changes nothing, and the browser shows the progress. Without a HEAD route,
  // which would read everything for nothing.
  app.get('/payments.csv', { exposeHeadRoute: false }, async (request, reply) => {
    const query = readFields(request.query, { mode, ...FILTER_FIELDS });
    const pieces = paymentsCsv(payments.export(scopeOf(request, query.mode), searchOf(query)));
    // Reads the header and the first payments before sending anything, so that a database error
    // becomes an error response.
    const begin = [await pieces.next(), await pieces.next()].flatMap(({ done, value }) => (done ? [] : [value]));
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="payments-${query.mode}-${payments.today()}.csv"`)
      .send(Readable.from(rejoin(begin, pieces)));
  });
};

// Helpers

function scopeOf(request: FastifyRequest, wanted: Scope['mode']): Scope {
  return { merchantId: memberOf(request).merchantId, mode: wanted };
}

/** If the reader disconnects, the source generator ends too. */
async function* rejoin<Piece>(begin: readonly Piece[], rest: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  try {
    yield* begin;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

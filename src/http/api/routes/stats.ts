import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { DAY_MS, type UnixMs } from '../../../../machines/index.ts';
import { type AccountDeps, usageOf } from '../../../billing/index.ts';
import { getStats, type StatsRequest } from '../../../payments/index.ts';
import { TerminalError } from '../../../platform/errors.ts';
import { momentOf } from '../moments.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/ref.ts';
import { StatsEnvelope, StatsQuery } from '../schemas/stats.ts';

const DEFAULT_RANGE_DAYS = 30;
/** A year, leap years included. */
const MAX_RANGE_DAYS = 366;
/** Its week begins in the year 0000, the first that a response can express (RFC 3339). */
const FIRST_DAY = '0001-01-01';

export const statsRoute: FastifyPluginAsyncTypebox<AccountDeps> = async (app, deps) => {
  const statsDeps = { db: deps.db, usageOf: (merchantId: string) => usageOf(deps, merchantId) };
  app.get(
    '/stats',
    {
      schema: {
        operationId: 'getStats',
        summary: 'Get statistics',
        description: `How the transactions of the mode of your key went that were created in a time of at most ${MAX_RANGE_DAYS} days. Days, weeks and months are those of UTC.`,
        tags: ['Account'],
        querystring: StatsQuery,
        response: { 200: ref(StatsEnvelope), ...failures() },
      },
    },
    async (request, reply) => {
      const stats = await getStats(statsDeps, callerOf(request), toStatsRequest(request.query, deps.clock.now()));
      return reply.send({ success: true, data: stats });
    },
  );
};

// Helpers

function toStatsRequest(query: Static<typeof StatsQuery>, now: UnixMs): StatsRequest {
  // Includes what was created in this very millisecond.
  const to = query.to === undefined ? now + 1 : momentOf(query.to, 'to');
  const from = query.from === undefined ? to - DEFAULT_RANGE_DAYS * DAY_MS : momentOf(query.from, 'from');
  if (from >= to) throw new TerminalError('INVALID_REQUEST', 'from must be before to', { field: 'from' });
  if (from < Date.parse(FIRST_DAY)) {
    throw new TerminalError('INVALID_REQUEST', `from must be ${FIRST_DAY} or later`, { field: 'from' });
  }
  if (to - from > MAX_RANGE_DAYS * DAY_MS) {
    const message = `from must be at most ${MAX_RANGE_DAYS} days before to`;
    throw new TerminalError('INVALID_REQUEST', message, { field: 'from' });
  }
  return { from, to, interval: query.interval ?? 'day' };
}

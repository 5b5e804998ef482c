import type { FastifyPluginAsync } from 'fastify';
import { DAY_MS } from '../../../../machines/index.ts';
import { TerminalError } from '../../../errors.ts';
import type { StatisticsInterval, StatisticsQuery } from '../../contract/statistics.ts';
import { oneOf, readFields, whole } from '../../reading.ts';
import { memberOf, mode } from '../member.ts';
import type { StatisticsDesk } from './port.ts';

/** Any year, leap years included; every day is a row of the response. */
const MAX_RANGE_DAYS = 366;
/** 9999-12-31: the last day that a date field can contain. */
const LAST_MOMENT = Date.UTC(9999, 11, 31);

/** GET `statistics`, in the scope of the merchant routes. */
export const statisticsRoutes: FastifyPluginAsync<{ readonly statistics: StatisticsDesk }> = async (
  app,
  { statistics },
) => {
  app.get('/statistics', async (request) => {
    const query = readFields(request.query, {
      mode,
      from: whole(0, LAST_MOMENT),
      to: whole(0, LAST_MOMENT),
      interval: oneOf<StatisticsInterval>(['day', 'week', 'month']),
    });
    requireRange(query);
    return { data: await statistics.read(memberOf(request), query) };
  });
};

// Helpers

function requireRange({ from, to }: StatisticsQuery): void {
  if (from >= to) throw new TerminalError('INVALID_REQUEST', 'from must be before to', { field: 'from' });
  if (to - from <= MAX_RANGE_DAYS * DAY_MS) return;
  throw new TerminalError('INVALID_REQUEST', `from must be at most ${MAX_RANGE_DAYS} days before to`, {
    field: 'from',
  });
}

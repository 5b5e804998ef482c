import { type Static, Type } from 'typebox';
import { STATS_INTERVALS } from '../../../../payments/index.ts';
import { oneOf, whole } from '../../schema.ts';
import { Mode } from '../schemas.ts';

/** Statistics of the payments created in a period, by their current state. */

export type {
  FiatAmount,
  Stats as Statistics,
  StatsInterval as StatisticsInterval,
  StatsTotals,
} from '../../../../payments/index.ts';

/** 9999-12-31: the last day that a date field can contain. */
const DayTimestamp = whole(0, Date.UTC(9999, 11, 31));

/** Payments created from `from` until before `to`, in Unix ms. */
export const StatisticsQuery = Type.Object({
  mode: Mode,
  from: DayTimestamp,
  to: DayTimestamp,
  interval: oneOf(STATS_INTERVALS),
});
export type StatisticsQuery = Static<typeof StatisticsQuery>;

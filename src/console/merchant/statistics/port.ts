import type { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import type { Member } from '../member.ts';

/** The statistics of a merchant. */
export interface StatisticsDesk {
  /** Statistics of the payments created in a period. */
  read(member: Member, query: StatisticsQuery): Promise<Statistics>;
}

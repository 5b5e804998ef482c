import type { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import type { Member } from '../member.ts';

/** What the console asks of the statistics of a merchant. */
export interface StatisticsDesk {
  /** How the payments went that were created in a time. */
  read(member: Member, query: StatisticsQuery): Promise<Statistics>;
}

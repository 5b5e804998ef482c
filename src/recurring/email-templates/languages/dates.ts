import type { UnixMs } from '../../../../machines/index.ts';

interface Dates {
  /** A day in UTC. */
  day(moment: UnixMs): string;
  /** Date and time in UTC, including the zone name. */
  moment(moment: UnixMs): string;
}

/**
 * Dates in UTC with these month names, separated by spaces; no locale of the machine, because those
 * differ.
 */
export function datesIn(months: string, write: (day: number, month: string, year: number) => string): Dates {
  const names = months.split(' ');
  const day = (moment: UnixMs) => {
    const date = new Date(moment);
    return write(date.getUTCDate(), names[date.getUTCMonth()] ?? '', date.getUTCFullYear());
  };
  return { day, moment: (moment) => `${day(moment)}, ${new Date(moment).toISOString().slice(11, 16)} UTC` };
}

const SECOND_MS = 1_000;
const UNITS = [
  ['d', 86_400 * SECOND_MS],
  ['h', 3_600 * SECOND_MS],
  ['min', 60 * SECOND_MS],
  ['s', SECOND_MS],
] as const;
/** Longer durations are shown in days alone. */
const DAYS_ALONE_MS = 30 * UNITS[0][1];

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

const DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });

/** A duration in its two largest units, like `2 h 5 min`; below a second `0 s`. */
export function durationText(ms: number): string {
  const first = UNITS.findIndex(([, size]) => ms >= size);
  if (first === -1) return '0 s';
  const [unit, size] = UNITS[first] ?? UNITS[3];
  const [smallerUnit, smallerSize] = UNITS[first + 1] ?? [null, 1];
  const rest = smallerUnit === null || ms >= DAYS_ALONE_MS ? 0 : Math.floor((ms % size) / smallerSize);
  const whole = `${Math.floor(ms / size)} ${unit}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallerUnit}`;
}

/** A duration in its largest unit alone, like `3 d`. */
export function shortDuration(ms: number): string {
  const [unit, size] = UNITS.find(([, unitMs]) => ms >= unitMs) ?? UNITS[3];
  return `${Math.floor(ms / size)} ${unit}`;
}

/** `5 min ago`, `in 2 h`, `now`, only in the largest unit. */
export function timeAgo(at: number, now: number): string {
  const distance = Math.abs(now - at);
  if (distance < 2 * SECOND_MS) return 'now';
  const text = shortDuration(distance);
  return at > now ? `in ${text}` : `${text} ago`;
}

/** `for 5 min`, or `just now`, only in the largest unit; a clock ahead of ours is `just now`. */
export function timeSpent(since: number, now: number): string {
  return now - since < 2 * SECOND_MS ? 'just now' : `for ${shortDuration(now - since)}`;
}

/** Date and time to the second in the browser's time zone, which is named. */
export function timestampText(at: number): string {
  return MOMENT.format(at);
}

/** The browser's time zone at that time, like `GMT+1`: it changes with daylight saving time. */
export function zoneText(at: number): string {
  return MOMENT.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** A day in UTC, as plans are counted, like `1 December 2026 (UTC)`. */
export function dayText(at: number): string {
  return `${DAY.format(at)} (UTC)`;
}

/** The value of a date field, like `2026-11-22`. */
export function isoDayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The start of a day like `2026-11-22` in UTC; null for one like 31 February. */
export function dayOf(text: string | null): number | null {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const at = Date.parse(`${text}T00:00:00Z`);
  return at >= 0 && isoDayText(at) === text ? at : null;
}

import { HOUR_MS, MINUTE_MS } from '../../machines/index.ts';
import type { RateVerdict, RequestLimits } from '../../src/merchants/index.ts';

/**
 * The limits as a person would track them: a list of all accepted requests, recounted each time.
 * Knows one clock per request and nothing of statements, rows or batches.
 */
export function createRateModel(): (subject: string, limits: RequestLimits, now: number) => RateVerdict {
  const books = new Map<string, Book>();

  return (subject, { perMinute, perHour }, now) => {
    const book = books.get(subject) ?? { minute: 0, hour: 0, taken: [] };
    books.set(subject, book);
    // The clocks of processes differ; once a window has started, an older one is not used again.
    book.minute = Math.max(book.minute, Math.floor(now / MINUTE_MS));
    book.hour = Math.max(book.hour, Math.floor(now / HOUR_MS));
    const { minute, hour } = book;
    const inMinute = () => book.taken.filter((each) => each.minute === minute).length;
    const isHourFull = book.taken.filter((each) => each.hour === hour).length >= perHour;
    const isTaken = !isHourFull && inMinute() < perMinute;
    if (isTaken) book.taken.push({ minute, hour });
    const endOfMinute = (minute + 1) * MINUTE_MS;
    const full = isHourFull
      ? { window: 'hour' as const, limit: perHour, retryAfterMs: (hour + 1) * HOUR_MS - now }
      : { window: 'minute' as const, limit: perMinute, retryAfterMs: endOfMinute - now };
    return {
      limit: perMinute,
      remaining: Math.max(0, perMinute - inMinute()),
      resetAt: endOfMinute,
      rejection: isTaken ? null : full,
    };
  };
}

interface Book {
  minute: number;
  hour: number;
  readonly taken: { readonly minute: number; readonly hour: number }[];
}

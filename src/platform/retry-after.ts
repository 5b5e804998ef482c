import type { UnixMs } from '../../machines/index.ts';

const SECONDS = /^\d{1,9}$/;
/** The date format servers must send: "Sun, 06 Nov 1994 08:49:37 GMT". */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Returns the delay in ms of a `Retry-After` header (RFC 9110 section 10.2.3), or null when it is
 * missing or invalid.
 */
export function parseRetryAfter(header: string | undefined, now: UnixMs): number | null {
  const text = header?.trim() ?? '';
  if (SECONDS.test(text)) return Number(text) * 1_000;
  if (!HTTP_DATE.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

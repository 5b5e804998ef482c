import type { UnixMs } from '../../machines/index.ts';

/** A time as ISO 8601 in UTC, with milliseconds: as in the API, webhooks and files. */
export function isoTime(at: UnixMs): string {
  return new Date(at).toISOString();
}

export function isoTimeOrNull(at: UnixMs | null): string | null {
  return at === null ? null : isoTime(at);
}
